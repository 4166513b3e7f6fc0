// @ts-check
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, extname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { importingWhatRuns, root, runsAsItIs, version } from './running-service.mjs'
import { isPackage } from './sources.mjs'

const loaders = /** @type {const} */ ({
  '.ts': 'ts',
  '.mts': 'ts',
  '.cts': 'ts',
  '.tsx': 'tsx',
  '.js': 'js',
  '.mjs': 'js',
  '.cjs': 'js',
})
/** A reference to another script of the package that runs in its own thread. */
const ownScript = /new URL\(\s*['"](\.[^'"]+\.[cm]?[jt]sx?)['"],\s*import\.meta\.url\s*,?\s*\)/g

/** @typedef {import('./running-service.mjs').Running} Running */

/**
 * A translated script, with the scripts that it was made from and a hash of each.
 * @typedef {object} Translated
 * @property {string} output
 * @property {Record<string, string>} inputs
 */

/**
 * Returns the script to import for a plugin from another package. A script in TypeScript or CommonJS is translated,
 * and so is one that would import another copy of the service than the running one, or find none: it becomes a single
 * script that imports the running service. The translation is reused until one of its scripts changes.
 * @param {string} file Absolute.
 * @param {Running} running
 * @returns {Promise<string>}
 * @throws Error if the package does not translate
 */
export async function translatePackage(file, running) {
  const entry = realpathSync(file)
  if (runsAsItIs(entry)) return entry
  return (await translated(entry, running)).output
}

/**
 * @param {string} entry
 * @param {Running} running
 * @returns {Promise<Translated>}
 */
async function translated(entry, running) {
  const name = `${hashOf(`${process.version}\n${root}\n${version}\n${running.fileOf(root)}\n${entry}`)}.json`
  // Translations by `mortise prepare` are used even if nothing can be written any more.
  for (const caches of cachesIn(running.projectFolder)) {
    const known = readIndex(join(caches, name))
    if (known !== undefined) return known
  }
  const caches = writableCaches(running.projectFolder)
  const { text, inputs } = await bundle(entry, running)
  const output = join(caches, `${hashOf(text)}.mjs`)
  writeWhole(output, text)
  writeWhole(join(caches, name), JSON.stringify({ output, inputs }))
  return { output, inputs }
}

/**
 * The folders for translations: next to the packages, or if that cannot be written, in the temporary folder.
 * @param {string} projectFolder
 */
function cachesIn(projectFolder) {
  const modules = join(isPackage(root) ? projectFolder : root, 'node_modules')
  const temporary = join(tmpdir(), `mortise-${process.getuid?.() ?? ''}`)
  const parents = [
    join(modules, '.cache/mortise'),
    // A folder of that name that belongs to another user cannot be trusted.
    ...(isForeign(temporary) ? [] : [temporary]),
  ]
  return parents.map((parent) => join(parent, 'packages'))
}

/** @param {string} folder */
function isForeign(folder) {
  const owner = statSync(folder, { throwIfNoEntry: false })?.uid
  return owner !== undefined && process.getuid !== undefined && owner !== process.getuid()
}

/** @param {string} projectFolder */
function writableCaches(projectFolder) {
  for (const caches of cachesIn(projectFolder)) {
    try {
      mkdirSync(caches, { recursive: true, mode: 0o700 })
      writeWhole(join(caches, 'package.json'), '{"type":"module"}')
      return caches
    } catch {
      // Tries the next folder.
    }
  }
  throw new Error(
    'its translation can be written neither into node_modules/.cache nor into the temporary folder; run `mortise prepare` while node_modules can be written',
  )
}

/** The translation, unless one of the scripts that it was made from has changed. @param {string} index */
function readIndex(index) {
  if (!existsSync(index)) return undefined
  /** @type {Translated} */
  const known = JSON.parse(readFileSync(index, 'utf8'))
  const isSame = ([path = '', hash = '']) => existsSync(path) && hashOf(readFileSync(path)) === hash
  return existsSync(known.output) && Object.entries(known.inputs).every(isSame) ? known : undefined
}

/** @param {string} entry @param {Running} running */
async function bundle(entry, running) {
  const { build } = await import('esbuild')
  /** @type {Record<string, string>} */
  const inputs = {}
  const result = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'silent',
    sourcemap: 'inline',
    sourcesContent: false,
    outfile: join(dirname(entry), 'plugin.mjs'),
    // Scripts outside the project can only use the project's packages.
    nodePaths: [...new Set([running.projectFolder, root])].map((folder) => join(folder, 'node_modules')),
    banner: {
      js: `import { createRequire } from 'node:module'; const require = createRequire(${literal(entry)});`,
    },
    plugins: [
      importingWhatRuns(running),
      knowingTheirSource(inputs, { ...running, starters: [...(running.starters ?? []), entry] }),
    ],
  })
  return { text: result.outputFiles[0]?.text ?? '', inputs }
}

/**
 * Scripts find files next to their sources, except for further scripts to run, which are translated as well.
 * @param {Record<string, string>} inputs Collects the scripts, with a hash of each.
 * @param {Running} running
 * @returns {import('esbuild').Plugin}
 */
const knowingTheirSource = (inputs, running) => ({
  name: 'knowing their source',
  setup({ onLoad }) {
    onLoad({ filter: /\.([cm]?ts|tsx|[cm]?js)$/ }, async ({ path }) => {
      const text = readFileSync(path, 'utf8')
      inputs[path] = hashOf(text)
      const loader = loaders[/** @type {keyof typeof loaders} */ (extname(path))]
      if (!/import\.meta|__dirname|__filename/.test(text)) return { contents: text, loader }
      const { transform } = await import('esbuild')
      const { code } = await transform(await withTranslatedScripts(text, path, inputs, running), {
        loader,
        define: locationOf(path),
        sourcemap: 'inline',
        sourcefile: path,
      })
      return { contents: code, loader: 'js' }
    })
  },
})

/**
 * @param {string} text
 * @param {string} file
 * @param {Record<string, string>} inputs
 * @param {Running} running
 */
async function withTranslatedScripts(text, file, inputs, running) {
  /** @type {Map<string, string>} */
  const replacements = new Map()
  for (const [whole, path = ''] of text.matchAll(ownScript)) {
    const script = resolve(dirname(file), path)
    // A script that starts itself, or one of those that started it, cannot be part of its own translation.
    if (running.starters?.includes(script) || !existsSync(script) || runsAsItIs(script)) continue
    const worker = await translated(script, running)
    Object.assign(inputs, worker.inputs)
    replacements.set(whole, `new URL(${literal(pathToFileURL(worker.output).href)})`)
  }
  return text.replace(ownScript, (whole) => replacements.get(whole) ?? whole)
}

const literal = (/** @type {string} */ text) => JSON.stringify(text)

/**
 * The values of `import.meta` for a script, which looks for files next to its source.
 * @param {string} path
 */
const locationOf = (path) => ({
  'import.meta.url': literal(pathToFileURL(path).href),
  'import.meta.dirname': literal(dirname(path)),
  'import.meta.filename': literal(path),
  __dirname: literal(dirname(path)),
  __filename: literal(path),
})

/**
 * Writes to a temporary name first, since several processes may write the same file.
 * @param {string} file
 * @param {string} text
 */
function writeWhole(file, text) {
  const unfinished = `${file}.${process.pid}`
  writeFileSync(unfinished, text)
  renameSync(unfinished, file)
}

const hashOf = (/** @type {string | Buffer} */ content) =>
  createHash('sha256').update(content).digest('hex').slice(0, 16)
