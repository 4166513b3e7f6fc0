import { existsSync, lstatSync, readdirSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { defineCoreCommand } from './command.ts'

/** What is deleted of a package. */
interface Surplus {
  /** Names a file in the package's folder. */
  readonly landmark: string
  find(folder: string): readonly string[]
}

/** The name of the binary that uWebSockets.js loads here. */
const binary = `uws_${process.platform}_${process.arch}_${process.versions.modules}.node`

const surplus: readonly Surplus[] = [
  {
    landmark: 'uWebSockets.js',
    find: (folder) => readdirSync(folder).filter((name) => /^uws_.*\.node$/.test(name) && name !== binary),
  },
  {
    landmark: 'better-sqlite3/package.json',
    // What it is compiled from; the binary itself is in build/Release.
    find: () => ['deps', 'src', 'build/deps', 'build/Release/obj', 'build/Release/obj.target'],
  },
]

export const pruneCommand = defineCoreCommand({
  name: 'prune',
  summary: 'deletes binaries for other platforms and Node versions from node_modules, for images',
  example: 'prune',
  async run() {
    const bytes = prune(import.meta.filename)
    return `Deleted ${Math.round(bytes / 1e6)} MB from node_modules; after a change of Node, install again`
  },
})

/**
 * Deletes what the packages that a script can import hold for other platforms.
 * @returns how many bytes that were
 */
export function prune(script: string): number {
  const require = createRequire(script)
  return surplus
    .flatMap(({ landmark, find }) => {
      const folder = folderOf(require, landmark)
      return folder === undefined ? [] : find(folder).map((name) => join(folder, name))
    })
    .reduce((bytes, path) => bytes + remove(path), 0)
}

/**
 * Undefined if the package is not installed, as one of them is optional, or if it is linked: what is outside of
 * `node_modules` is somebody's working copy.
 */
function folderOf(require: NodeJS.Require, landmark: string): string | undefined {
  try {
    const folder = dirname(require.resolve(landmark))
    return basename(dirname(folder)) === 'node_modules' ? folder : undefined
  } catch {
    return undefined
  }
}

function remove(path: string): number {
  if (!existsSync(path)) return 0
  const bytes = sizeOf(path)
  rmSync(path, { recursive: true })
  return bytes
}

function sizeOf(path: string): number {
  const stats = lstatSync(path)
  if (!stats.isDirectory()) return stats.size
  return readdirSync(path).reduce((bytes, name) => bytes + sizeOf(join(path, name)), 0)
}
