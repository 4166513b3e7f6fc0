// @ts-check
import { existsSync, lstatSync, readdirSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, sep } from 'node:path'

/**
 * The files of a package that are deleted.
 * @typedef {object} Surplus
 * @property {string} name
 * @property {(folder: string) => readonly string[]} find
 */

/** The name of the binary that uWebSockets.js loads here. */
const binary = `uws_${process.platform}_${process.arch}_${process.versions.modules}.node`

/** @type {readonly Surplus[]} */
const surplus = [
  {
    name: 'uWebSockets.js',
    find: (folder) => readdirSync(folder).filter((name) => /^uws_.*\.node$/.test(name) && name !== binary),
  },
  {
    name: 'better-sqlite3',
    // What a compiler has left next to the binary. The sources stay, because `npm rebuild` needs them.
    find: () =>
      ['deps', 'Release/.deps', 'Release/obj', 'Release/obj.target', 'Release/sqlite3.a'].map((name) =>
        join('build', name),
      ),
  },
  // Builds of the same code for browsers and for bundlers.
  { name: 'luxon', find: () => ['build/amd', 'build/cjs-browser', 'build/global'] },
  { name: 'opencc-js', find: () => ['dist/esm', 'dist/esm-lib'] },
]

/**
 * Deletes, from the packages that a script can import, files for other platforms and leftovers of compilers.
 * @param {string} script
 * @returns {number} the number of bytes deleted
 */
export function prune(script) {
  const require = createRequire(script)
  return surplus
    .flatMap(({ name, find }) => {
      const folder = folderOf(require, name)
      return folder === undefined ? [] : find(folder).map((path) => join(folder, path))
    })
    .reduce((bytes, path) => bytes + remove(path), 0)
}

/**
 * Undefined if the package is not installed, since one of them is optional, or if it is linked: a folder outside
 * `node_modules` is a working copy.
 * @param {NodeJS.Require} require
 * @param {string} name
 */
function folderOf(require, name) {
  try {
    const script = require.resolve(name)
    const place = join('node_modules', name, sep)
    const start = script.lastIndexOf(`${sep}${place}`)
    return start < 0 ? undefined : script.slice(0, start + place.length)
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
