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
import { dirname, join, relative, resolve, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { becomesPart, entryPointsOf, nativePackage } from './bundle.mjs'
import { publishedFolders } from './sources.mjs'

/** @typedef {import('./sources.mjs').Sources} Sources */

/** Where each script stays by itself, packages of hundreds of small files, and hyper-express, are bundled: see bundle.mjs. */
const bundledPackages = /^(typebox|drizzle-orm|hyper-express)(\/|$)/
/** Built from its sources, where it is not part of a package. */
const panelBuilders = ['build-app.ts', 'run-live-build.ts'].map(
  (name) => `core-plugins/panel/admin-panel/build/${name}`,
)

/** Some packages are CommonJS. */
const requireBanner = {
  js: `import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);`,
}

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
const scriptsToWrite = (source) =>
  (source.isBundled ? foundByPath(source) : [...source.files]).map((file) => ({
    in: file,
    out: withoutExtension(relative(source.cache, source.outputOf(file))),
  }))

/**
 * What of the service, and of the project in the same folder, something finds by its path.
 * @param {Sources} source
 */
function foundByPath(source) {
  const { folder, files } = source
  const ofProject = [...files].filter(
    (file) => !publishedFolders.includes(relative(folder, file).split(sep)[0] ?? ''),
  )
  const builders = panelBuilders.map((path) => join(folder, path)).filter((file) => files.has(file))
  return [...new Set([...entryPointsOf(source), ...builders, ...ofProject])]
}

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
  try {
    if (source.isBundled) await writeBundled(source, outdir)
    else await writeEach(source, sources, outdir)
    writeFileSync(join(outdir, 'package.json'), '{"type":"module"}')
    renameSync(outdir, source.cache)
  } catch (error) {
    rmSync(outdir, { recursive: true, force: true })
    if (!source.isTranslated()) throw error
  }
}

/**
 * A few files instead of more than a thousand, which halves the time of a start.
 * @param {Sources} source
 * @param {string} outdir
 */
function writeBundled(source, outdir) {
  const plugins = [importingParts(source), knowingTheirSource]
  const options = { ...sourceOutput, outdir, plugins, banner: requireBanner, splitting: true }
  return buildEach({ ...options, chunkNames: 'chunks/[name]-[hash]' }, scriptsToWrite(source))
}

/** @param {Sources} source @param {readonly Sources[]} sources @param {string} outdir */
async function writeEach(source, sources, outdir) {
  /** @type {Set<string>} */
  const packages = new Set()
  const plugins = [importingTranslations(sources, packages), knowingTheirSource]
  await buildEach({ ...sourceOutput, outdir, plugins }, scriptsToWrite(source))
  if (source.isService) await bundle(packages, outdir)
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
    banner: requireBanner,
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
        const owner = ownerOf(imported)
        // What nothing may find by its path has no translation of its own.
        if (owner?.isBundled && !existsSync(owner.outputOf(imported)))
          return {
            errors: [{ text: `${imported} is inside the service: import what mortise/plugin exports` }],
          }
        const file = owner?.outputOf(imported) ?? bundleFor(path, importer)
        if (file !== undefined) return { path: `./${relative(from, file)}`, external: true }
        if (path.endsWith('.json')) return undefined
        return { path: path.startsWith('.') ? pathToFileURL(imported).href : path, external: true }
      })
    },
  }
}

/**
 * Scripts of the service become part of those that import them, and so do some packages; what the service is started with
 * stays where it is.
 * @param {Sources} source
 * @returns {import('esbuild').Plugin}
 */
const importingParts = (source) => ({
  name: 'importing parts',
  setup({ onResolve }) {
    onResolve({ filter: /.*/ }, ({ path, kind, importer }) => {
      if (kind === 'entry-point') return undefined
      if (!path.startsWith('.')) {
        const own = source.exports.get(path)
        if (own !== undefined) return { path: own }
        return becomesPart(path, importer, source) ? undefined : { path, external: true }
      }
      const imported = resolve(dirname(importer), path)
      const isPart = source.files.has(imported) || !source.files.has(importer) || path.endsWith('.json')
      return isPart ? undefined : { path: pathToFileURL(imported).href, external: true }
    })
  },
})

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
