// @ts-check
import { existsSync, lstatSync, readdirSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'

/**
 * What is deleted of a package.
 * @typedef {object} Surplus
 * @property {string} landmark Names a file in the package's folder.
 * @property {(folder: string) => readonly string[]} find
 */

/** The name of the binary that uWebSockets.js loads here. */
const binary = `uws_${process.platform}_${process.arch}_${process.versions.modules}.node`

/** @type {readonly Surplus[]} */
const surplus = [
  {
    landmark: 'uWebSockets.js',
    find: (folder) => readdirSync(folder).filter((name) => /^uws_.*\.node$/.test(name) && name !== binary),
  },
  {
    landmark: 'better-sqlite3/package.json',
    // What a compiler has left beside the binary. The sources stay: `npm rebuild` needs them.
    find: () =>
      ['deps', 'Release/.deps', 'Release/obj', 'Release/obj.target', 'Release/sqlite3.a'].map((name) =>
        join('build', name),
      ),
  },
]

/**
 * Deletes what the packages that a script can import hold for other platforms, and what compilers have left in them.
 * @param {string} script
 * @returns {number} how many bytes that were
 */
export function prune(script) {
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
 * @param {NodeJS.Require} require
 * @param {string} landmark
 */
function folderOf(require, landmark) {
  try {
    const folder = dirname(require.resolve(landmark))
    return basename(dirname(folder)) === 'node_modules' ? folder : undefined
  } catch {
    return undefined
  }
}

/** @param {string} path */
function remove(path) {
  if (!existsSync(path)) return 0
  const bytes = sizeOf(path)
  rmSync(path, { recursive: true })
  return bytes
}

/** @param {string} path @returns {number} */
function sizeOf(path) {
  const stats = lstatSync(path)
  if (!stats.isDirectory()) return stats.size
  return readdirSync(path).reduce((bytes, name) => bytes + sizeOf(join(path, name)), 0)
}
