// @ts-check
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, extname, join, posix, relative } from 'node:path'

/** Folders of a project that hold nothing the service runs. */
const foldersWithoutSources = [
  'test',
  'bench',
  'build',
  'data',
  'uploads',
  'coverage',
  'create-mortise',
  'dist',
  'docs',
  'schemas',
  'launch',
]
/** What `npm run build -w mortise-client` writes. */
const builtClient = 'client/dist'
/** Runs in browsers, and is bundled by core-plugins/panel/admin-panel/build. */
const panelApp = 'core-plugins/panel/admin-panel/app'
/** What the package is made of: folders with scripts, and the scripts beside them. */
export const publishedFolders = [
  'kernel',
  'core-plugins',
  'cli',
  'entry-points',
  'client',
  'launch',
  'server',
  'testing',
]
const sourceExtensions = ['.ts', '.mts', '.js', '.mjs']
/** Part of the cache key: changing the translator has everything translated again. */
const translator = () =>
  ['translate', 'bundle']
    .map((name) => readFileSync(join(import.meta.dirname, name + extname(import.meta.filename)), 'utf8'))
    .join('')
/** A folder with more entries is not a project. */
const mostEntries = 10_000

/**
 * The scripts of a folder, and where their translation belongs.
 * @typedef {object} Sources
 * @property {string} folder
 * @property {ReadonlySet<string>} files Absolute.
 * @property {string} cache The folder for their translation; another one after any change.
 * @property {(file: string) => string} outputOf
 * @property {() => boolean} isTranslated
 * @property {ReadonlyMap<string, string>} exports The files that other packages import, by their specifiers.
 * @property {boolean} isService Otherwise they are a project's, or those of tests.
 * @property {boolean} isBundled Whether what nothing finds by its path becomes part of the scripts that import it.
 */

/**
 * Whether the service in a folder is the installed package, whose scripts `npm run build` has translated.
 * @param {string} root
 */
export const isPackage = (root) => existsSync(join(root, 'server.js'))

/**
 * The scripts of the service, then those of the project that it serves, if that lies elsewhere; of the
 * installed package only the latter.
 * @param {{ root: string, projectFolder: string }} options
 */
export function findSources({ root, projectFolder }) {
  if (isPackage(root)) return [projectSources(root, projectFolder)]
  const service = serviceSources(root, { isBundled: true })
  // The project's translation refers to the service's, so it changes with it.
  if (root === projectFolder) return [service]
  return [service, sourcesIn({ folder: projectFolder, caches: dirname(service.cache), base: service.cache })]
}

/**
 * @param {string} root
 * @param {{ isBundled: boolean }} options
 * @returns {Sources}
 */
function serviceSources(root, { isBundled }) {
  // Where Node will report the files to be: source maps are relative to that path.
  const caches = join(realpathSync(join(root, 'node_modules')), '.cache/mortise')
  const lock = readFileSync(join(root, 'package-lock.json'), 'utf8')
  const base = `${lock}${translator()}${isBundled}`
  return { ...sourcesIn({ folder: root, caches, base }), isService: true, isBundled }
}

/**
 * The scripts of a project that has the package installed. They import it by its name, as plugins from
 * other packages do, so their translation has to lie where Node finds it.
 * @param {string} root
 * @param {string} projectFolder
 */
function projectSources(root, projectFolder) {
  const manifest = readFileSync(join(root, 'package.json'), 'utf8')
  const caches = join(projectFolder, 'node_modules/.cache/mortise')
  return sourcesIn({ folder: projectFolder, caches, base: manifest + translator() })
}

/**
 * The scripts that the package is made of, translated into `outdir`.
 * @param {string} root
 * @param {string} outdir
 * @returns {Sources}
 */
export function findPublishedSources(root, outdir) {
  const entries = readdirSync(root, { withFileTypes: true }).filter(({ name }) => !name.startsWith('.'))
  const others = entries.filter((entry) => entry.isDirectory() && !publishedFolders.includes(entry.name))
  const service = sourcesIn({
    folder: root,
    caches: outdir,
    base: '',
    without: others.map(({ name }) => name),
  })
  return { ...service, ...outputIn(root, outdir), isService: true, isBundled: true }
}

/**
 * The scripts of the service, each by itself since tests import any of them, then those that only a test run needs: what the
 * panel's application computes without a page, benchmarks and tests. A folder comes after the one that it lies in.
 * @param {string} root
 */
export function findTestSources(root) {
  const service = serviceSources(root, { isBundled: false })
  const caches = dirname(service.cache)
  const panel = sourcesIn({ folder: join(root, panelApp), caches, base: service.cache, without: [] })
  const bench = sourcesIn({ folder: join(root, 'bench'), caches, base: service.cache, without: [] })
  const test = sourcesIn({
    folder: join(root, 'test'),
    caches,
    base: panel.cache + bench.cache,
    without: [],
  })
  return [service, panel, bench, test]
}

/**
 * Returns what to import in place of a file.
 * @param {readonly Sources[]} sources
 * @param {string} file
 * @throws Error for one in TypeScript that is not among the sources
 */
export function translationOf(sources, file) {
  const found = findTranslation(sources, file)
  if (found === undefined) throw new Error(`${file} is outside the project, and not translated with it`)
  return found
}

/**
 * The same; undefined for one in TypeScript that is not among the sources.
 * @param {readonly Sources[]} sources
 * @param {string} file
 */
export function findTranslation(sources, file) {
  const owner = sources.find(({ files }) => files.has(file))
  if (owner !== undefined) return owner.outputOf(file)
  return /\.[cm]?ts$/.test(file) ? undefined : file
}

/**
 * @typedef {object} Place
 * @property {string} folder
 * @property {string} caches
 * @property {string} base What the translation depends on besides the scripts.
 * @property {readonly string[]} [without] Subfolders to leave out.
 */

/** @param {Place} place @returns {Sources} */
function sourcesIn({ folder, caches, base, without = foldersWithoutSources }) {
  const scripts = scriptsIn(folder, { folder, without: [...without, builtClient, panelApp], entries: 0 })
  const files = withoutCompiled([...scripts])
  const cache = join(caches, keyOf([...files], base))
  return {
    folder,
    files,
    ...outputIn(folder, cache),
    // Nothing is written into a folder that has nothing to translate.
    isTranslated: () => files.size === 0 || existsSync(cache),
    exports: exportsOf(folder),
    isService: false,
    isBundled: false,
  }
}

/**
 * @param {string} folder
 * @param {string} cache
 * @returns {Pick<Sources, 'cache' | 'outputOf'>}
 */
const outputIn = (folder, cache) => ({
  cache,
  outputOf: (file) => join(cache, relative(folder, file).replace(/\.[mc]?[jt]s$/, '.js')),
})

/**
 * Leaves out what a compiler has written next to scripts in TypeScript: declarations, and JavaScript that runs
 * as it is.
 * @param {readonly string[]} files
 */
function withoutCompiled(files) {
  const typed = new Set(files.filter((file) => /\.m?ts$/.test(file)).map(withoutExtension))
  return new Set(
    files.filter(
      (file) => !/\.d\.m?ts$/.test(file) && (/ts$/.test(file) || !typed.has(withoutExtension(file))),
    ),
  )
}

/** @param {string} file */
const withoutExtension = (file) => file.replace(/\.m?[jt]s$/, '')

/**
 * What the package.json of a folder and those of its workspaces export, such as `mortise/plugin`.
 * @param {string} folder
 * @returns {Map<string, string>}
 */
function exportsOf(folder) {
  const manifest = join(folder, 'package.json')
  if (!existsSync(manifest)) return new Map()
  const { name, exports = {}, workspaces = [] } = JSON.parse(readFileSync(manifest, 'utf8'))
  const subpaths = typeof exports === 'string' ? { '.': exports } : exports
  const files = Object.entries(subpaths).filter(([, file]) => typeof file === 'string')
  return new Map([
    ...files.map(([subpath, file]) => /** @type {const} */ ([posix.join(name, subpath), join(folder, file)])),
    ...(Array.isArray(workspaces) ? workspaces : []).flatMap((path) => [...exportsOf(join(folder, path))]),
  ])
}

/**
 * @param {string} directory
 * @param {{ folder: string, without: readonly string[], entries: number }} project
 * @returns {Generator<string>}
 */
function* scriptsIn(directory, project) {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    if (++project.entries > mostEntries) throw new Error(`${project.folder} is too large`)
    if (entry.name.startsWith('.') || entry.name === 'node_modules') continue
    const path = join(directory, entry.name)
    if (project.without.includes(relative(project.folder, path))) continue
    if (entry.isDirectory()) yield* scriptsIn(path, project)
    else if (entry.isFile() && sourceExtensions.includes(extname(path))) yield path
  }
}

/**
 * By content, as copies and images do not preserve modification times exactly.
 * @param {readonly string[]} files
 * @param {string} base
 */
function keyOf(files, base) {
  const hash = createHash('sha256').update(`${process.version}\n${base}`)
  for (const file of files) hash.update(`\n${file}\n`).update(readFileSync(file))
  return hash.digest('hex').slice(0, 16)
}
