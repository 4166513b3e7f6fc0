import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** An installed package. */
export interface FoundPackage {
  /** Absolute, without symbolic links. */
  readonly folder: string
  readonly manifest: PackageManifest
  /** What an import of the specifier runs; absolute. */
  readonly file: string
}

/** What this service reads of a package.json, unchecked. */
export interface PackageManifest {
  readonly exports?: unknown
  readonly main?: unknown
  readonly engines?: unknown
  readonly peerDependencies?: unknown
}

/** Of the `exports` of a package: those of an import in Node. */
const conditions = new Set(['node', 'import', 'module-sync', 'default'])

/**
 * Finds what `import '@acme/seo'` or `import '@acme/tools/seo'` means in a folder. `require.resolve` fails where a
 * package exports itself to imports only.
 * @returns undefined if the package is not installed
 * @throws Error if it is, but exports no such script
 */
export function findPackage(specifier: string, from: string): FoundPackage | undefined {
  const match = /^((?:@[^/@]+\/)?[^/@][^/]*)(\/.+)?$/.exec(specifier)
  if (match === null) return undefined
  const [, name = '', subpath = ''] = match
  const installed = folderOf(name, from)
  if (installed === undefined) return undefined
  const folder = realpathSync(installed)
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as PackageManifest
  const target = targetOf(manifest, `.${subpath}`)
  const file = target === undefined ? undefined : join(folder, target)
  if (file === undefined) throw new Error(`its package.json exports no ${specifier}`)
  if (!existsSync(file))
    throw new Error(`its package.json exports ${target}, which does not exist; build it first`)
  return { folder, manifest, file }
}

function folderOf(name: string, from: string): string | undefined {
  const folder = join(from, 'node_modules', name)
  if (existsSync(join(folder, 'package.json'))) return folder
  return dirname(from) === from ? undefined : folderOf(name, dirname(from))
}

function targetOf({ exports, main }: PackageManifest, subpath: string): string | undefined {
  if (exports === undefined || exports === null) {
    if (subpath !== '.') return subpath
    return typeof main === 'string' ? main : 'index.js'
  }
  const isMap = typeof exports === 'object' && Object.keys(exports).some((key) => key.startsWith('.'))
  const target = isMap
    ? (exports as Readonly<Record<string, unknown>>)[subpath]
    : subpath === '.'
      ? exports
      : undefined
  return chosen(target)
}

/** The first target whose conditions hold, as Node chooses. */
function chosen(target: unknown): string | undefined {
  if (typeof target === 'string') return target.startsWith('./') ? target : undefined
  if (typeof target !== 'object' || target === null) return undefined
  const several = Array.isArray(target)
    ? target
    : Object.entries(target).flatMap(([condition, value]) => (conditions.has(condition) ? [value] : []))
  return several.map(chosen).find((found) => found !== undefined)
}
