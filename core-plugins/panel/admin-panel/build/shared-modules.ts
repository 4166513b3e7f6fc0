import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Plugin } from 'esbuild'
import { appFolder } from './app-sources.ts'

const namespace = 'panel-shared'

/** The packages that plugin modules import from the panel, so that each exists only once in a page. */
const packages = ['react', 'react-dom', 'react/jsx-runtime'] as const

/** The panel's own API for plugins. */
const ownName = 'mortise/panel'

/** The specifiers of all shared modules. */
const sharedSpecifiers: readonly string[] = [...packages, ownName]

/** The entry points of the application for shared modules, by bundle name. */
export const sharedEntryPoints: Readonly<Record<string, string>> = Object.fromEntries(
  sharedSpecifiers.map((name) => [entryName(name), `${namespace}:${name}`]),
)

/** `shared-react-jsx-runtime` of `react/jsx-runtime`. */
function entryName(specifier: string): string {
  return `shared-${specifier.replaceAll('/', '-')}`
}

/** The file of the bundle for each specifier, found by esbuild's names. */
export function sharedFiles(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    sharedSpecifiers.map((specifier) => {
      const pattern = new RegExp(`^${entryName(specifier)}-[A-Z0-9]{8}\\.js$`)
      const name = names.find((each) => pattern.test(each))
      if (name === undefined) throw new Error(`the bundle of the panel lacks ${specifier}`)
      return [specifier, name]
    }),
  )
}

export const sharedModules: Plugin = {
  name: 'shared modules',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^panel-shared:/ }, ({ path }) => ({
      path: path.slice(namespace.length + 1),
      namespace,
    }))
    onLoad({ filter: /.*/, namespace }, ({ path }) => ({
      // Plugins load after the application, so with this import the shared modules are in the application's script
      // (`common-script.ts`).
      contents: `import './main.tsx'\n${exportsOf(path)}`,
      resolveDir: appFolder,
    }))
  },
}

/** Re-exports a package by name: esbuild cannot derive the export names of CommonJS packages such as React. */
function exportsOf(specifier: string): string {
  if (specifier === ownName) return `export * from './plugin-api/panel.ts'`
  const names = namesOf(specifier).join(', ')
  return `export { ${names} } from '${specifier}'; export { default } from '${specifier}'`
}

/** The export names of a package, as in production. */
function namesOf(specifier: string): string[] {
  const require = createRequire(import.meta.url)
  const [name = '', subpath] = specifier.split('/')
  const folder = dirname(require.resolve(`${name}/package.json`))
  const file = `cjs/${[name, subpath].filter(Boolean).join('-')}.production.js`
  return Object.keys(require(join(folder, file)))
}
