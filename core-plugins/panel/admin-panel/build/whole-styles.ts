import { relative } from 'node:path'
import type { Plugin } from 'esbuild'
import { tokensFile } from '../../../foundation/bundling/bundling.ts'
import { appFolder, filesIn } from './app-sources.ts'

const namespace = 'panel-styles'

/** Later layers override earlier ones, independent of selectors. Themes are in no layer, so they override all. */
const layers = ['tokens', 'base', 'kit', 'screens', 'plugins']

/**
 * Creates one style sheet of everything below `app/`, because esbuild writes the styles of lazily loaded scripts to files that
 * nothing loads. The cascade layer of a style sheet follows from its folder, so files need not name it.
 */
export const wholeStyles = {
  namespace,
  entryPoint: `${namespace}:all`,
  plugin: {
    name: 'whole styles',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^panel-styles:all$/ }, () => ({ path: 'all', namespace }))
      onLoad({ filter: /^all$/, namespace }, () => ({
        contents: imports(),
        loader: 'css',
        resolveDir: appFolder,
        watchDirs: [...new Set(styleSheets().map((file) => file.slice(0, file.lastIndexOf('/'))))],
      }))
    },
  } satisfies Plugin,
}

const styleSheets = () =>
  filesIn(appFolder).filter((file) => file.endsWith('.css') && !file.includes('/sign-in/'))

function imports(): string {
  const lines = styleSheets().map((file) => {
    const path = relative(appFolder, file)
    return `@import './${path}' layer(${layerOf(path)});`
  })
  const tokens = `@import '${relative(appFolder, tokensFile)}' layer(tokens);`
  return [`@layer ${layers.join(', ')};`, tokens, ...lines].join('\n')
}

function layerOf(path: string): string {
  if (path.startsWith('ground/styles/')) return 'base'
  return path.startsWith('ground/kit/') ? 'kit' : 'screens'
}
