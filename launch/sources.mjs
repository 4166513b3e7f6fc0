// @ts-check
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'

/** Folders of a project that hold nothing that the service runs. */
const foldersWithoutSources = ['test', 'bench', 'data', 'uploads', 'coverage', 'docs', 'schemas', 'launch']
const sourceExtensions = ['.ts', '.mts', '.js', '.mjs']
/** A folder that holds more is not a project. */
const mostEntries = 10_000

/**
 * @typedef {object} Sources
 * @property {ReadonlySet<string>} files Absolute.
 * @property {string} cache The folder for their translation; another one after any change.
 * @property {() => boolean} isTranslated
 * @property {(file: string) => string} outputOf Where the translation of a source belongs.
 * @property {(file: string) => string} translationOf What to import in place of a file. Throws if it was not translated.
 */

/**
 * The scripts of the service and of the project that it serves.
 * @param {{ root: string, projectFolder: string }} options
 * @returns {Sources}
 */
export function findSources({ root, projectFolder }) {
  const folders = [...new Set([root, projectFolder])]
  const files = new Set(folders.flatMap((folder) => [...scriptsIn(folder, { folder, entries: 0 })]))
  const cache = join(root, 'node_modules/.cache/mortise', keyOf([...files, join(root, 'package-lock.json')]))

  /** @param {string} file */
  function outputOf(file) {
    const folder = folders.findIndex((candidate) => file.startsWith(candidate + sep))
    const path = relative(folders[folder] ?? root, file)
    return join(cache, `${folder}`, path.replace(/\.[mc]?[jt]s$/, '.js'))
  }

  return {
    files,
    cache,
    isTranslated: () => existsSync(cache),
    outputOf,
    translationOf(file) {
      if (files.has(file)) return outputOf(file)
      if (!file.endsWith('ts')) return file
      throw new Error('it lies outside of the project; move it there, or start with `npx tsx server.ts`')
    },
  }
}

/** @param {string} directory @param {{ folder: string, entries: number }} project @returns {Generator<string>} */
function* scriptsIn(directory, project) {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    if (++project.entries > mostEntries) throw new Error(`${project.folder} is too large`)
    if (entry.name.startsWith('.') || entry.name === 'node_modules') continue
    if (directory === project.folder && foldersWithoutSources.includes(entry.name)) continue
    const path = join(directory, entry.name)
    if (entry.isDirectory()) yield* scriptsIn(path, project)
    else if (entry.isFile() && sourceExtensions.includes(extname(path))) yield path
  }
}

/** @param {string[]} files */
function keyOf(files) {
  const hash = createHash('sha256').update(process.version)
  for (const file of files) {
    const { mtimeMs, size } = statSync(file)
    hash.update(`\n${file} ${mtimeMs} ${size}`)
  }
  return hash.digest('hex').slice(0, 16)
}
