import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageOf } from '../launch/bundle.mjs'

/** The fields of a package.json that the build reads. */
export interface Manifest {
  readonly name: string
  readonly version: string
  readonly description: string
  readonly license: string
  readonly exports: Readonly<Record<string, string>>
  readonly engines: Readonly<Record<string, string>>
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
  /** Versions of dependencies, for the whole tree or below one package. */
  readonly overrides: Readonly<Record<string, string | Readonly<Record<string, string>>>>
}

/** The published package.json. */
export interface PublishedManifest {
  readonly version: string
  readonly exports: Readonly<Record<string, string | { readonly types: string; readonly default: string }>>
  readonly dependencies: Readonly<Record<string, string>>
}

/** Loads native code from one of 54 binaries; if it cannot be installed, `node:http` is used. */
const optional = 'uWebSockets.js'
/** Dependencies of packages made by `create-plugin --package`; npm ignores this field in installed packages. */
const toolsOfPlugins = ['@types/node', 'tsx', 'typescript']
/** Imported only if there are TypeScript sources. */
const forSources = 'tsx'
/** Resolved by name at run time instead of being imported. */
const foundByName = ['@orama/stemmers', 'opencc-js']

/** Reads the package.json of a folder. */
export function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
}

export interface ManifestOptions {
  /** The specifiers that the scripts import from other packages. */
  readonly imported: readonly string[]
  /** Replaces the version of the sources. */
  readonly version?: string | undefined
}

/**
 * The published package.json, derived from the one of the sources.
 * @throws Error if a script imports something that is neither published nor a dependency
 */
export function manifestOf(source: Manifest, { imported, version }: ManifestOptions): PublishedManifest {
  const { name, description, license, engines, exports } = source
  const tools = { ...source.dependencies, ...source.devDependencies }
  return {
    name,
    version: version ?? source.version,
    description,
    license,
    type: 'module',
    engines,
    bin: { mortise: 'launch/bin.js' },
    exports: {
      ...Object.fromEntries(Object.entries(exports).map(([subpath, file]) => [subpath, builtFiles(file)])),
      './package.json': './package.json',
    },
    dependencies: dependenciesOf(source, imported),
    devDependencies: Object.fromEntries(toolsOfPlugins.map((name) => [name, tools[name]])),
    optionalDependencies: { [optional]: source.overrides[optional] },
  } as PublishedManifest
}

const builtFiles = (file: string) => ({
  types: file.replace(/\.ts$/, '.d.ts'),
  default: file.replace(/\.ts$/, '.js'),
})

function dependenciesOf({ dependencies }: Manifest, imported: readonly string[]) {
  const imports = imported.map(packageOf).filter((name) => name !== forSources && name !== optional)
  const names = [...new Set([...imports, ...foundByName])].sort()
  const unknown = names.filter((name) => !(name in dependencies))
  if (unknown.length > 0) {
    const specifiers = imported.filter((specifier) => unknown.includes(packageOf(specifier)))
    throw new Error(
      `imported, but neither a dependency nor in a published folder (launch/sources.mjs): ${specifiers.join(', ')}`,
    )
  }
  return Object.fromEntries(names.map((name) => [name, dependencies[name]]))
}
