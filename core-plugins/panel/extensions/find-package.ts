import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** An installed package. */
export interface FoundPackage {
  /** Absolute, without symbolic links. */
  readonly folder: string
  readonly manifest: PackageManifest
  /** The file that an import of the specifier loads; absolute. */
  readonly file: string
}

/** The parts of a package.json that the service reads, unchecked. */
export interface PackageManifest {
  readonly exports?: unknown
  readonly main?: unknown
  readonly engines?: unknown
  readonly peerDependencies?: unknown
}

/** The conditions in `exports` that hold for an import in Node. */
const conditions = new Set(['node', 'import', 'module-sync', 'default'])
/** The conditions for CommonJS packages that only export themselves to `require`. */
const requireConditions = new Set(['node', 'require', 'default'])

/** The endings that Node tries for a path without `exports`. */
const endings = ['', '.js', '.cjs', '/index.js']

/**
 * Resolves `import '@acme/seo'` or `import '@acme/tools/seo'` from a folder. `require.resolve` fails if a package exports itself
 * to imports only.
 * @returns undefined if the package is not installed
 * @throws Error if it is, but exports no such script
 */
export function findPackage(specifier: string, from: string): FoundPackage | undefined {
  const match = /^((?:@[^/@]+\/)?[^/@][^/]*)(\/.+)?$/.exec(specifier)
  if (match === null || leaves(specifier)) return undefined
  const [, name = '', subpath = ''] = match
  const installed = folderOf(name, from)
  if (installed === undefined) return undefined
  const folder = realpathSync(installed)
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as PackageManifest
  const target = targetOf(manifest, `.${subpath}`)
  if (target === undefined) throw new Error(`its package.json exports no ${specifier}`)
  const isExported = manifest.exports !== undefined && manifest.exports !== null
  const file = (isExported ? [''] : endings)
    .map((ending) => join(folder, target + ending))
    .find((candidate) => statSync(candidate, { throwIfNoEntry: false })?.isFile())
  if (file === undefined)
    throw new Error(`its package.json exports ${target}, which does not exist; build it first`)
  return { folder, manifest, file }
}

/** Whether a path may lead out of its folder; Node refuses such exports, too. */
const leaves = (path: string) =>
  path.split(/[\\/]/).some((segment) => ['.', '..', 'node_modules'].includes(segment))

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
  const targets = isMap ? (exports as Readonly<Record<string, unknown>>) : { '.': exports }
  const { target, star } = matchOf(targets, subpath)
  return (chosen(target, conditions) ?? chosen(target, requireConditions))?.replaceAll('*', () => star)
}

/** The export target of a subpath, and the text matched by `*`; of several patterns, the longest applies. */
function matchOf(targets: Readonly<Record<string, unknown>>, subpath: string) {
  if (subpath in targets && !subpath.includes('*')) return { target: targets[subpath], star: '*' }
  const patterns = Object.keys(targets)
    .map((key) => ({ key, parts: key.split('*') as [string, string?] }))
    .filter(({ parts: [start, end], key }) => {
      if (end === undefined || key.split('*').length !== 2) return false
      return subpath.startsWith(start) && subpath.endsWith(end) && subpath.length >= key.length
    })
    .sort((left, right) => right.parts[0].length - left.parts[0].length || right.key.length - left.key.length)
  const [best] = patterns
  if (best === undefined) return { target: undefined, star: '' }
  const [start, end = ''] = best.parts
  return { target: targets[best.key], star: subpath.slice(start.length, subpath.length - end.length) }
}

/** The first target whose conditions hold, as in Node. */
function chosen(target: unknown, holding: ReadonlySet<string>): string | undefined {
  if (typeof target === 'string')
    return target.startsWith('./') && !leaves(target.slice(2)) ? target : undefined
  if (typeof target !== 'object' || target === null) return undefined
  const several = Array.isArray(target)
    ? target
    : Object.entries(target).flatMap(([condition, value]) => (holding.has(condition) ? [value] : []))
  return several.map((each) => chosen(each, holding)).find((found) => found !== undefined)
}
