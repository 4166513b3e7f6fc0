import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Plugin } from 'esbuild'
import { appFolder } from './app-sources.ts'

const namespace = 'panel-lazy'
const main = 'main.tsx'

/** Screens with parts that are loaded later, by the folders of those parts. */
const screens: Readonly<Record<string, string>> = {
  'content/list/': 'screens/list.tsx',
  'content/entry/': 'screens/entry-screen.tsx',
  'parts/preferences/': 'screens/list.tsx',
  'parts/revisions/': 'screens/entry-screen.tsx',
  'parts/usages/': 'screens/entry-screen.tsx',
}

/**
 * esbuild creates a script for each set of modules used by the same screens. With dozens of screens and dialogs, that would be
 * dozens of small scripts, which compress badly. So this plugin makes every lazily loaded module import the application's entry
 * point, and every part of a screen the screen: esbuild then finds shared modules there, and each lazy module becomes one script.
 */
export const commonScript: Plugin = {
  name: 'common script',
  setup({ onResolve, onLoad, resolve }) {
    onResolve({ filter: /^\./ }, async ({ path, kind, resolveDir, importer }) => {
      // Catalogues import nothing.
      if (kind !== 'dynamic-import' || path.includes('/locales/')) return undefined
      const resolved = await resolve(path, { kind: 'import-statement', resolveDir, importer })
      const isMain = relative(appFolder, resolved.path) === main
      return resolved.errors.length > 0 || isMain ? resolved : { path: resolved.path, namespace }
    })
    onLoad({ filter: /.*/, namespace }, ({ path }) => {
      const imports = [main, ...screenOf(relative(appFolder, path))].map(
        (file) => `import ${JSON.stringify(join(appFolder, file))}`,
      )
      const hasDefault = readFileSync(path, 'utf8').includes('export default')
      const exports = ['*', ...(hasDefault ? ['{ default }'] : [])].map(
        (each) => `export ${each} from ${JSON.stringify(path)}`,
      )
      return { contents: [...imports, ...exports].join('\n'), resolveDir: appFolder, watchFiles: [path] }
    })
  },
}

/** The screen to which a file belongs. */
const screenOf = (file: string): string[] =>
  Object.entries(screens).flatMap(([folder, screen]) => (file.startsWith(folder) ? [screen] : []))
