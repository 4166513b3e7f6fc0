// @ts-check
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { problemWithName } from './package-name.js'
import { RefusedError } from './refused-error.js'

/** How many of the files in the way are named. */
const mostNamed = 10
/** Somebody who has just made a repository for the project may go on. */
const allowed = ['.git']

/**
 * Where the project goes. Its name is that of the folder.
 * @typedef {{ readonly folder: string, readonly name: string }} Target
 */

/**
 * @param {string} target As typed: a name, a path, or `.`
 * @returns {Target}
 * @throws {RefusedError} if the name is none for a package, or the folder is in use
 */
export function targetOf(target) {
  const folder = resolve(target)
  const name = basename(folder)
  const problem = problemWithName(name) ?? problemWithFolder(folder)
  if (problem !== undefined) throw new RefusedError(problem)
  return { folder, name }
}

/** @param {string} folder @returns {string | undefined} */
function problemWithFolder(folder) {
  if (!existsSync(folder)) return undefined
  if (!statSync(folder).isDirectory()) return `${folder} is a file; choose another name`
  const found = readdirSync(folder).filter((name) => !allowed.includes(name))
  if (found.length === 0) return undefined
  const more = found.length > mostNamed ? ` and ${found.length - mostNamed} more` : ''
  const names = found.sort().slice(0, mostNamed).join(', ')
  return `${folder} is not empty: it holds ${names}${more}. Choose another folder, or empty this one`
}

/**
 * Runs what fills the folder. If it throws, the folder is as it was before: what was written is removed.
 * @template T
 * @param {string} folder
 * @param {() => T} fill
 * @returns {T}
 */
export function fillFolder(folder, fill) {
  const outermost = mkdirSync(folder, { recursive: true })
  const before = new Set(readdirSync(folder))
  try {
    return fill()
  } catch (error) {
    if (outermost !== undefined) rmSync(outermost, { recursive: true, force: true })
    else {
      for (const name of readdirSync(folder).filter((each) => !before.has(each))) {
        rmSync(join(folder, name), { recursive: true, force: true })
      }
    }
    throw error
  }
}
