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

/** The module as bundled by esbuild. */
export interface ModuleBundle {
  readonly script: string
  /** The name of its style sheet, if it imports any styles. */
  readonly styles?: string
  readonly files: readonly { readonly name: string; readonly contents: Uint8Array }[]
  /** Absolute paths of its sources. */
  readonly inputs: readonly string[]
}

export interface ModuleOptions {
  /** The application's files for `react`, `mortise/panel` and so on, by specifier. */
  readonly shared: Readonly<Record<string, string>>
  /** Whether to leave it unminified, for the browser's developer tools. */
  readonly isLive: boolean
}

/**
 * Bundles a plugin's script with its imports, except the modules that the panel shares. Its name contains a hash of its content,
 * including the names of the shared files, so a named file never changes.
 * @throws BuildFailure
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

/** Every admin user's browser loads it; the whole panel up to its first list has a tenth of this size. */
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
    // Shortened class names would collide with those of the panel and other plugins.
    minifySyntax: !isLive,
    minifyWhitespace: !isLive,
    sourcemap: isLive ? 'inline' : false,
    legalComments: 'none',
    define: { 'process.env.NODE_ENV': isLive ? '"development"' : '"production"' },
    loader: { '.svg': 'dataurl', '.png': 'dataurl', '.webp': 'dataurl' },
    // The project's own JSX compiler options are for its server.
    tsconfigRaw: {},
    logLevel: 'silent',
    metafile: true,
    write: false,
    plugins: [sharing(shared), ownClassNames(plugin)],
  }) as const satisfies BuildOptions

/** Resolves shared modules to the panel's files, and rejects modules that would be duplicated or cannot run in a browser. */
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

/** Adds the plugin's name to CSS class names, which contain the file name: many plugins have a `panel.module.css`. */
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

/** The real path of a file whose name was prefixed for esbuild. */
function sourceOf(path: string, plugin: string): string {
  const file = path.replace(`${stylesNamespace}:`, '')
  const name = basename(file)
  const isNamed = name.startsWith(`${plugin}-`) && name.endsWith('.module.css') && !existsSync(file)
  return isNamed ? join(dirname(file), name.slice(plugin.length + 1)) : file
}

/** Puts a plugin's styles into a cascade layer after the panel's and before the themes', independent of selectors. */
function inLayer(styles: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from('@layer plugins{'), styles, Buffer.from('}')])
}
