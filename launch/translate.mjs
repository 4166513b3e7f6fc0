// @ts-check
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'

/** @typedef {import('./sources.mjs').Sources} Sources */

/**
 * Packages that are bundled into a few files along with what they need: two of hundreds of small files, and
 * one that asks for uWebSockets.js by an address which only an override in the root package can replace. The
 * package `mortise` bundles more (build/scripts.ts), since nobody edits its scripts.
 */
const bundledPackages = /^(typebox|drizzle-orm|hyper-express)(\/|$)/
/** Loads native code, so it cannot be bundled. */
const nativePackage = 'uWebSockets.js'

const oldestMs = 7 * 24 * 60 * 60 * 1000

/** @type {import('esbuild').BuildOptions} */
const output = {
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  logLevel: 'silent',
}

/**
 * Options for sources that stay where they are. `import.meta.dirname` and the like are replaced by
 * identifiers, so that strings with the same text stay as they are.
 * @type {import('esbuild').BuildOptions}
 */
const sourceOutput = {
  ...output,
  sourcemap: 'linked',
  sourcesContent: false,
  define: Object.fromEntries(
    ['url', 'dirname', 'filename'].map((name) => [`import.meta.${name}`, `sourceLocation.${name}`]),
  ),
}

/**
 * Translates whatever is not translated yet, each source to a file of its own. Safe to run in several
 * processes at once: a folder gets its final name only when it is complete.
 * @param {readonly Sources[]} sources The service first.
 */
export async function translate(sources) {
  for (const source of sources.filter((candidate) => !candidate.isTranslated())) {
    mkdirSync(dirname(source.cache), { recursive: true })
    removeOld(dirname(source.cache))
    await translateFolder(source, sources)
  }
}

/** @param {Sources} source */
const entryPointsOf = (source) =>
  [...source.files].map((file) => ({
    in: file,
    out: withoutExtension(relative(source.cache, source.outputOf(file))),
  }))

/**
 * Translates all scripts. One that is broken becomes a script that throws what is wrong with it, so that only
 * what imports it fails: a plugin that cannot be loaded is switched off.
 * @param {import('esbuild').BuildOptions & { outdir: string }} options
 * @param {readonly { in: string, out: string }[]} scripts
 */
async function buildEach(options, scripts) {
  try {
    await build({ ...options, entryPoints: [...scripts] })
  } catch (error) {
    const broken = brokenIn(error)
    const isBroken = (/** @type {{ in: string }} */ script) => broken.has(realpathSync(script.in))
    if (!scripts.some(isBroken)) throw error
    await buildEach(
      options,
      scripts.filter((script) => !isBroken(script)),
    )
    for (const script of scripts.filter(isBroken)) {
      const file = join(options.outdir, `${script.out}.js`)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, `throw new SyntaxError(${JSON.stringify(broken.get(realpathSync(script.in)))})\n`)
    }
  }
}

/** What is wrong with which files, if esbuild says. @param {unknown} error @returns {Map<string, string>} */
function brokenIn(error) {
  const { errors = [] } = /** @type {Partial<import('esbuild').BuildFailure>} */ (error)
  return new Map(
    errors.flatMap(({ text, location }) =>
      location === null
        ? []
        : [[realpathSync(location.file), `${location.file}:${location.line}:${location.column}: ${text}`]],
    ),
  )
}

/** @param {Sources} source @param {readonly Sources[]} sources */
async function translateFolder(source, sources) {
  const outdir = mkdtempSync(`${source.cache}-`)
  /** @type {Set<string>} */
  const packages = new Set()
  const entryPoints = entryPointsOf(source)
  try {
    const plugins = [importingTranslations(sources, packages), knowingTheirSource]
    await buildEach({ ...sourceOutput, outdir, plugins }, entryPoints)
    if (source.isService) await bundle(packages, outdir)
    writeFileSync(join(outdir, 'package.json'), '{"type":"module"}')
    renameSync(outdir, source.cache)
  } catch (error) {
    rmSync(outdir, { recursive: true, force: true })
    if (!source.isTranslated()) throw error
  }
}

/** @param {ReadonlySet<string>} packages @param {string} outdir */
function bundle(packages, outdir) {
  return build({
    ...output,
    outdir,
    entryPoints: [...packages].map((name) => ({ in: name, out: withoutExtension(bundleOf(name)) })),
    absWorkingDir: dirname(import.meta.dirname),
    splitting: true,
    chunkNames: 'packages/[name]-[hash]',
    external: [nativePackage],
    // Some of them are CommonJS.
    banner: {
      js: `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);`,
    },
  })
}

/**
 * Sources import each other's translations and the service's bundles, and everything else as before.
 * @param {readonly Sources[]} sources
 * @param {Set<string>} packages Collects the packages that the service has to bundle.
 * @returns {import('esbuild').Plugin}
 */
function importingTranslations(sources, packages) {
  const service = sources.find(({ isService }) => isService)
  const ownerOf = (/** @type {string} */ file) => sources.find(({ files }) => files.has(file))

  /** @param {string} path @param {string} importer */
  function bundleFor(path, importer) {
    if (service === undefined || !bundledPackages.test(path)) return undefined
    const file = join(service.cache, bundleOf(path))
    if (service.files.has(importer)) packages.add(path)
    else if (!existsSync(file)) return undefined
    return file
  }

  return {
    name: 'importing translations',
    setup({ onResolve }) {
      onResolve({ filter: /.*/ }, ({ path, kind, importer }) => {
        if (kind === 'entry-point') return undefined
        const from = dirname(ownerOf(importer)?.outputOf(importer) ?? importer)
        const imported = path.startsWith('.')
          ? resolve(dirname(importer), path)
          : (service?.exports.get(path) ?? path)
        const file = ownerOf(imported)?.outputOf(imported) ?? bundleFor(path, importer)
        if (file !== undefined) return { path: `./${relative(from, file)}`, external: true }
        if (path.endsWith('.json')) return undefined
        return { path: path.startsWith('.') ? pathToFileURL(imported).href : path, external: true }
      })
    },
  }
}

/**
 * Lets a translation that looks for files next to itself find those next to its source.
 * @type {import('esbuild').Plugin}
 */
const knowingTheirSource = {
  name: 'knowing their source',
  setup({ onLoad }) {
    onLoad({ filter: /\.[mc]?[jt]s$/ }, ({ path }) => {
      const values = { url: pathToFileURL(path).href, dirname: dirname(path), filename: path }
      const text = readFileSync(path, 'utf8')
      // Prepended to the first line, so that all lines keep their numbers.
      const location = /\bimport\.meta\b/.test(text)
        ? `const sourceLocation = ${JSON.stringify(values)};`
        : ''
      const contents = location + text
      return { contents, loader: 'ts', resolveDir: dirname(path) }
    })
  },
}

/** Deletes translations unused for a while, and leftovers of killed processes. @param {string} caches */
function removeOld(caches) {
  for (const name of readdirSync(caches)) {
    const path = join(caches, name)
    const stats = statSync(path, { throwIfNoEntry: false })
    if (stats !== undefined && Date.now() - stats.mtimeMs > oldestMs)
      rmSync(path, { recursive: true, force: true })
  }
}

/** @param {string} name */
const bundleOf = (name) => `packages/${name.replaceAll('/', '-')}.js`

/** @param {string} path */
const withoutExtension = (path) => path.replace(/\.js$/, '')
