// @ts-check
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isPackage } from './sources.mjs'

/** The folder of the running service. */
export const root = join(import.meta.dirname, '..')
const manifest = readManifest(root)
/**
 * The version of the running service.
 * @type {string}
 */
export const version = manifest.version

/**
 * @typedef {object} Running
 * @property {string} projectFolder
 * @property {(file: string) => string} fileOf What this process runs in place of a script of the service.
 * @property {readonly string[]} [starters] The scripts that start the one that is translated, outermost first.
 */

const isTypeScript = (/** @type {string} */ file) => /\.[cm]?tsx?$/.test(file)

/**
 * Whether Node runs a script of another package unchanged, and with the running service.
 * @param {string} file
 */
export const runsAsItIs = (file) => !isTypeScript(file) && !isCommonJs(file) && findsRunningCopy(file)

/**
 * A CommonJS script could not `require` the service, which is an ES module.
 * @param {string} file
 */
function isCommonJs(file) {
  if (/\.m[jt]s$/.test(file)) return false
  return /\.c[jt]s$/.test(file) || readManifest(packageOf(file) ?? root).type !== 'module'
}

/**
 * Whether Node resolves the script's imports of `mortise/plugin` to the running service.
 * @param {string} file
 */
function findsRunningCopy(file) {
  if (!isPackage(root)) return false
  try {
    const found = createRequire(file).resolve(`${manifest.name}/package.json`)
    return dirname(realpathSync(found)) === realpathSync(root)
  } catch {
    return false
  }
}

/**
 * Makes scripts of other packages import the running service.
 * @param {Running} running
 * @returns {import('esbuild').Plugin}
 */
export const importingWhatRuns = (running) => ({
  name: 'importing what runs',
  setup(build) {
    build.onResolve({ filter: /^[^./]/ }, async ({ path, kind, resolveDir, pluginData }) => {
      if (kind === 'entry-point' || path.startsWith('node:') || pluginData === asked) return undefined
      if (path.startsWith('file:')) return { path, external: true }
      const own = runningFile(path, running)
      if (own !== undefined && kind === 'require-call') return { path: own, namespace: 'required' }
      if (own !== undefined) return { path: pathToFileURL(own).href, external: true }
      const found = await build.resolve(path, { kind, resolveDir, pluginData: asked })
      if (found.errors.length > 0 || found.external || isWrittenAgainstService(found.path)) return found
      return {
        path: kind === 'require-call' ? found.path : pathToFileURL(found.path).href,
        external: true,
      }
    })
    // The bundler imports it first, and passes it to scripts that call `require`.
    build.onLoad({ filter: /.*/, namespace: 'required' }, ({ path }) => ({
      contents: `export * from ${JSON.stringify(pathToFileURL(path).href)}`,
    }))
  },
})

/** Distinguishes the plugin's own resolve requests from those for scripts. */
const asked = Symbol('asked')

/**
 * The file that this process runs for `mortise/plugin`.
 * @param {string} specifier
 * @param {Running} running
 */
function runningFile(specifier, { fileOf }) {
  if (specifier !== manifest.name && !specifier.startsWith(`${manifest.name}/`)) return undefined
  const target = manifest.exports?.[`.${specifier.slice(manifest.name.length)}`]
  const file = typeof target === 'object' && target !== null ? target.default : target
  if (file === undefined) throw new Error(`${manifest.name} exports no ${specifier}`)
  return fileOf(join(root, file))
}

/**
 * Whether a file belongs to a package that also imports the service, such as a plugin that another one builds on, or
 * is in TypeScript: Node would find another copy of the service for the former, and cannot run the latter.
 * @param {string} file
 */
function isWrittenAgainstService(file) {
  if (isTypeScript(file)) return true
  const { peerDependencies = {}, dependencies = {} } = readManifest(packageOf(file) ?? root)
  return manifest.name in peerDependencies || manifest.name in dependencies
}

/** The folder of the package that a file belongs to. @param {string} file @returns {string | undefined} */
function packageOf(file) {
  const folder = dirname(file)
  if (folder === file) return undefined
  const isPackageFolder = existsSync(join(folder, 'package.json')) && !folder.endsWith(`${sep}node_modules`)
  return isPackageFolder && readManifest(folder).name !== undefined ? folder : packageOf(folder)
}

/** @param {string} folder @returns {any} */
function readManifest(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
}
