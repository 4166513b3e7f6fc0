import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Plugin } from 'esbuild'
import { appFolder } from './app-sources.ts'

const namespace = 'panel-shared'

/** What modules of plugins import from the panel, so that there is one React and one of everything in a page. */
const packages = ['react', 'react-dom', 'react/jsx-runtime'] as const

/** What the panel itself offers to plugins. */
const ownName = 'mortise/panel'

/** The specifiers under which they are imported. */
const sharedSpecifiers: readonly string[] = [...packages, ownName]

/** The entry points of the application that plugins import, by the names that the bundle gives them. */
export const sharedEntryPoints: Readonly<Record<string, string>> = Object.fromEntries(
  sharedSpecifiers.map((name) => [entryName(name), `${namespace}:${name}`]),
)

/** `shared-react-jsx-runtime` of `react/jsx-runtime`. */
function entryName(specifier: string): string {
  return `shared-${specifier.replaceAll('/', '-')}`
}

/** Which file of the bundle serves which specifier, from the names that esbuild has given. */
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
      // Plugins come when the application is there: with it, these are in its script (`common-script.ts`).
      contents: `import './main.tsx'\n${exportsOf(path)}`,
      resolveDir: appFolder,
    }))
  },
}

/** React is CommonJS: a bundle of its own exports has to be told their names. */
function exportsOf(specifier: string): string {
  if (specifier === ownName) return `export * from './plugin-api/panel.ts'`
  const names = namesOf(specifier).join(', ')
  return `export { ${names} } from '${specifier}'; export { default } from '${specifier}'`
}

/** What the package exports in production, which is what it always has. */
function namesOf(specifier: string): string[] {
  const require = createRequire(import.meta.url)
  const [name = '', subpath] = specifier.split('/')
  const folder = dirname(require.resolve(`${name}/package.json`))
  const file = `cjs/${[name, subpath].filter(Boolean).join('-')}.production.js`
  return Object.keys(require(join(folder, file)))
}
