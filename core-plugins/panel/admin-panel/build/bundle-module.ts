import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type { BuildOptions, Plugin } from 'esbuild'
import { supportedBrowsers, withEsbuild } from '../../../foundation/bundling/bundling.ts'
import { assetsPath } from '../panel-path.ts'

/** A plugin's script for the panel. */
export interface ModuleSource {
  readonly plugin: string
  /** Absolute. */
  readonly file: string
}

/** It as esbuild leaves it. */
export interface ModuleBundle {
  readonly script: string
  /** The name of its style sheet, if it imports any styles. */
  readonly styles?: string
  readonly files: readonly { readonly name: string; readonly contents: Uint8Array }[]
  /** Absolute paths of what it was made of. */
  readonly inputs: readonly string[]
}

export interface ModuleOptions {
  /** The files of the application that stand for `react`, `mortise/panel` and the like. */
  readonly shared: Readonly<Record<string, string>>
  /** Whether it stays readable in the browser's tools. */
  readonly isLive: boolean
}

/**
 * Bundles a plugin's script with all that it imports except what the panel shares. Its name contains a hash of what is
 * in it, and with that of the shared files, so it never changes. @throws BuildFailure
 */
export async function bundleModule(source: ModuleSource, options: ModuleOptions): Promise<ModuleBundle> {
  const folder = realpathSync(dirname(source.file))
  const { outputFiles, metafile } = await withEsbuild(({ build }) =>
    build({ ...optionsOf(source, options), absWorkingDir: folder }),
  )
  const files = outputFiles.map(({ path, contents }) => {
    const name = path.slice(path.lastIndexOf('/') + 1)
    return { name, contents: name.endsWith('.css') ? inLayer(contents) : contents }
  })
  const script = files.find(({ name }) => name.endsWith('.js'))?.name
  if (script === undefined) throw new Error(`${source.file} holds no script`)
  const bytes = files.reduce((sum, { contents }) => sum + contents.length, 0)
  if (bytes > maxBytes && !options.isLive) throw new Error(tooLarge(source, bytes))
  const styles = files.find(({ name }) => name.endsWith('.css'))?.name
  const inputs = Object.keys(metafile.inputs).map((path) => resolve(folder, sourceOf(path, source.plugin)))
  return { script, files, inputs, ...(styles === undefined ? {} : { styles }) }
}

/** Every admin user's browser loads it; the whole panel until its first list is a tenth of that. */
const maxBytes = 5 * 1024 * 1024

const tooLarge = ({ file }: ModuleSource, bytes: number) =>
  `${file} and what it imports are ${Math.ceil(bytes / 1024 / 1024)} MB, and may be ${maxBytes / 1024 / 1024}: import less`

const optionsOf = ({ plugin, file }: ModuleSource, { shared, isLive }: ModuleOptions) =>
  ({
    entryPoints: [file],
    outdir: '/assets',
    entryNames: `plugin-${plugin}-[hash]`,
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: [...supportedBrowsers],
    jsx: 'automatic',
    // Short names of classes would meet those of the panel and of other plugins.
    minifySyntax: !isLive,
    minifyWhitespace: !isLive,
    sourcemap: isLive ? 'inline' : false,
    legalComments: 'none',
    define: { 'process.env.NODE_ENV': isLive ? '"development"' : '"production"' },
    loader: { '.svg': 'dataurl', '.png': 'dataurl', '.webp': 'dataurl' },
    // What a project's compiler options say about JSX is about its server.
    tsconfigRaw: {},
    logLevel: 'silent',
    metafile: true,
    write: false,
    plugins: [sharing(shared), ownClassNames(plugin)],
  }) as const satisfies BuildOptions

/** Takes what the panel shares from the panel, and refuses what would be there twice or cannot run in a browser. */
const sharing = (shared: ModuleOptions['shared']): Plugin => ({
  name: 'sharing',
  setup({ onResolve }) {
    onResolve({ filter: /^(react|react-dom|mortise|node:.*)(\/.*)?$/ }, ({ path }) => {
      const file = shared[path]
      if (file !== undefined) return { path: assetsPath + file, external: true }
      const known = Object.keys(shared).join(', ')
      return { errors: [{ text: `the panel has no ${path}; import ${known}, or a package of your own` }] }
    })
  },
})

const stylesNamespace = 'plugin-styles'

/** Classes are named after their file, which is `panel.module.css` in many plugins: the plugin's name goes before it. */
const ownClassNames = (plugin: string): Plugin => ({
  name: 'own class names',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^\..*\.module\.css$/ }, ({ path, resolveDir }) => {
      const file = resolve(resolveDir, path)
      return { path: join(dirname(file), `${plugin}-${basename(file)}`), namespace: stylesNamespace }
    })
    onLoad({ filter: /.*/, namespace: stylesNamespace }, ({ path }) => ({
      contents: readFileSync(sourceOf(path, plugin), 'utf8'),
      loader: 'local-css',
      resolveDir: dirname(path),
    }))
  },
})

/** The file that esbuild knows under a name with the plugin's before it. */
function sourceOf(path: string, plugin: string): string {
  const file = path.replace(`${stylesNamespace}:`, '')
  const name = basename(file)
  const isNamed = name.startsWith(`${plugin}-`) && name.endsWith('.module.css') && !existsSync(file)
  return isNamed ? join(dirname(file), name.slice(plugin.length + 1)) : file
}

/** Styles of plugins come after those of the panel, whatever their selectors, and before those of themes. */
function inLayer(styles: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from('@layer plugins{'), styles, Buffer.from('}')])
}
