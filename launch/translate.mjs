// @ts-check
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'

/** Made of hundreds of small files, which become a few. */
const bundledPackages = /^(typebox|drizzle-orm)(\/|$)/

/** @type {import('esbuild').BuildOptions} */
const output = { bundle: true, format: 'esm', platform: 'node', target: 'node20', logLevel: 'silent' }

/**
 * Translates all sources, each to a file of its own. Another process that does so at the same time does no
 * harm: the folder gets its name when it is complete.
 * @param {import('./sources.mjs').Sources} sources
 */
export async function translate({ files, cache, outputOf }) {
  mkdirSync(dirname(cache), { recursive: true })
  const outdir = mkdtempSync(`${cache}-`)
  /** @type {Set<string>} */
  const packages = new Set()
  try {
    await build({
      ...output,
      outdir,
      entryPoints: [...files].map((file) => ({
        in: file,
        out: withoutExtension(relative(cache, outputOf(file))),
      })),
      plugins: [importingTranslations({ files, cache, outputOf, packages }), knowingTheirSource],
    })
    await build({
      ...output,
      outdir,
      splitting: true,
      absWorkingDir: dirname(import.meta.dirname),
      entryPoints: [...packages].map((name) => ({ in: name, out: bundleOf(name) })),
      plugins: [leavingOtherPackages],
    })
    writeFileSync(join(outdir, 'package.json'), '{"type":"module"}')
    renameSync(outdir, cache)
  } catch (error) {
    rmSync(outdir, { recursive: true, force: true })
    if (!existsSync(cache)) throw error
  }
}

/**
 * Sources import each other's translations and the bundles, and everything else as before.
 * @param {Omit<import('./sources.mjs').Sources, 'isTranslated' | 'translationOf'> & { packages: Set<string> }} options
 * @returns {import('esbuild').Plugin}
 */
function importingTranslations({ files, cache, outputOf, packages }) {
  return {
    name: 'importing translations',
    setup({ onResolve }) {
      onResolve({ filter: /.*/ }, ({ path, kind, importer }) => {
        if (kind === 'entry-point') return undefined
        const from = dirname(outputOf(importer))
        const imported = path.startsWith('.') ? resolve(dirname(importer), path) : path
        if (files.has(imported)) return external(from, outputOf(imported))
        if (bundledPackages.test(path)) {
          packages.add(path)
          return external(from, join(cache, `${bundleOf(path)}.js`))
        }
        return path.endsWith('.json') ? undefined : { path, external: true }
      })
    },
  }
}

/** @param {string} from @param {string} to */
const external = (from, to) => ({ path: `./${relative(from, to)}`, external: true })

/** A translation that looks for files beside itself finds those beside its source. */
/** @type {import('esbuild').Plugin} */
const knowingTheirSource = {
  name: 'knowing their source',
  setup({ onLoad }) {
    onLoad({ filter: /\.[mc]?[jt]s$/ }, ({ path }) => {
      const values = { url: pathToFileURL(path).href, dirname: dirname(path), filename: path }
      const contents = readFileSync(path, 'utf8').replace(
        /\bimport\.meta\.(url|dirname|filename)\b/g,
        (_, /** @type {keyof typeof values} */ name) => JSON.stringify(values[name]),
      )
      return { contents, loader: 'ts', resolveDir: dirname(path) }
    })
  },
}

/** @type {import('esbuild').Plugin} */
const leavingOtherPackages = {
  name: 'leaving other packages',
  setup({ onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
      kind === 'entry-point' || bundledPackages.test(path) ? undefined : { path, external: true },
    )
  },
}

/** @param {string} name */
const bundleOf = (name) => `packages/${name.replaceAll('/', '-')}`

/** @param {string} path */
const withoutExtension = (path) => path.replace(/\.js$/, '')
