// @ts-check
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, realpathSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, extname, join, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isPackage } from './sources.mjs'

const root = join(import.meta.dirname, '..')
const manifest = readManifest(root)
const loaders = /** @type {const} */ ({ '.ts': 'ts', '.mts': 'ts', '.tsx': 'tsx', '.js': 'js', '.mjs': 'js' })

/**
 * @typedef {object} Running
 * @property {string} projectFolder
 * @property {(file: string) => string} fileOf What this process runs in place of a script of the service.
 */

/**
 * Returns the script to import for a plugin from another package. A plugin in TypeScript is translated, and so is
 * one that would find another copy of the service than the one that is running, or none: both become one
 * script that imports what is running. Translated once, until one of its scripts changes.
 * @param {string} file Absolute.
 * @param {Running} running
 * @returns {Promise<string>}
 * @throws Error if the package does not translate
 */
export async function translatePackage(file, running) {
  const entry = realpathSync(file)
  if (!isTypeScript(entry) && findsRunningCopy(entry)) return entry
  const caches = cachesOf(running.projectFolder)
  const index = join(
    caches,
    `${hashOf(`${process.version}\n${root}\n${manifest.version}\n${running.fileOf(root)}\n${entry}`)}.json`,
  )
  const known = readIndex(index)
  if (known !== undefined) return known
  const { text, inputs } = await bundle(entry, running)
  const output = join(caches, `${hashOf(text)}.mjs`)
  writeWhole(output, text)
  writeWhole(index, JSON.stringify({ output, inputs }))
  return output
}

const isTypeScript = (/** @type {string} */ file) => /\.[cm]?tsx?$/.test(file)

/** Whether Node takes the running service for what a script imports as `mortise/plugin`. @param {string} file */
function findsRunningCopy(file) {
  if (!isPackage(root)) return false
  try {
    const found = createRequire(file).resolve(`${manifest.name}/package.json`)
    return dirname(realpathSync(found)) === realpathSync(root)
  } catch {
    return false
  }
}

/** Where nothing can be written next to the packages, each start translates anew. @param {string} projectFolder */
function cachesOf(projectFolder) {
  const modules = join(isPackage(root) ? projectFolder : root, 'node_modules')
  for (const parent of [
    join(modules, '.cache/mortise'),
    join(tmpdir(), `mortise-${process.getuid?.() ?? ''}`),
  ]) {
    try {
      const caches = join(parent, 'packages')
      mkdirSync(caches, { recursive: true, mode: 0o700 })
      writeWhole(join(caches, 'package.json'), '{"type":"module"}')
      return caches
    } catch {
      // The next one, then.
    }
  }
  throw new Error(
    'its translation can be written neither into node_modules/.cache nor into the temporary folder',
  )
}

/** The output, unless one of the scripts that it was made from has changed. @param {string} index */
function readIndex(index) {
  if (!existsSync(index)) return undefined
  /** @type {{ output: string, inputs: Record<string, string> }} */
  const { output, inputs } = JSON.parse(readFileSync(index, 'utf8'))
  const isSame = ([path = '', hash = '']) => existsSync(path) && hashOf(readFileSync(path)) === hash
  return existsSync(output) && Object.entries(inputs).every(isSame) ? output : undefined
}

/** @param {string} entry @param {Running} running */
async function bundle(entry, running) {
  const { build, transform } = await import('esbuild')
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
    outfile: join(cachesOf(running.projectFolder), 'plugin.mjs'),
    banner: {
      js: `import { createRequire } from 'node:module'; const require = createRequire(${literal(entry)});`,
    },
    plugins: [
      {
        name: 'importing what runs',
        setup(build) {
          build.onResolve({ filter: /^[^./]/ }, async ({ path, kind, resolveDir, pluginData }) => {
            if (kind === 'entry-point' || path.startsWith('node:') || pluginData === asked) return undefined
            const own = runningFile(path, running)
            if (own !== undefined) return { path: pathToFileURL(own).href, external: true }
            const found = await build.resolve(path, { kind, resolveDir, pluginData: asked })
            if (found.errors.length > 0 || found.external || isWrittenAgainstService(found.path)) return found
            return {
              path: kind === 'require-call' ? found.path : pathToFileURL(found.path).href,
              external: true,
            }
          })
          build.onLoad({ filter: /\.(ts|mts|tsx|js|mjs)$/ }, async ({ path }) => {
            const text = readFileSync(path, 'utf8')
            inputs[path] = hashOf(text)
            const loader = loaders[/** @type {keyof typeof loaders} */ (extname(path))]
            if (!text.includes('import.meta')) return { contents: text, loader }
            const { code } = await transform(text, {
              loader,
              define: locationOf(path),
              sourcemap: 'inline',
              sourcefile: path,
            })
            return { contents: code, loader: 'js' }
          })
        },
      },
    ],
  })
  return { text: result.outputFiles[0]?.text ?? '', inputs }
}

/** Tells a question of the bundler's to itself from those of scripts. */
const asked = Symbol('asked')

const literal = (/** @type {string} */ text) => JSON.stringify(text)

/** A script looks for files next to its source. @param {string} path */
const locationOf = (path) => ({
  'import.meta.url': literal(pathToFileURL(path).href),
  'import.meta.dirname': literal(dirname(path)),
  'import.meta.filename': literal(path),
})

/** What this process runs for `mortise/plugin`. @param {string} specifier @param {Running} running */
function runningFile(specifier, { fileOf }) {
  if (specifier !== manifest.name && !specifier.startsWith(`${manifest.name}/`)) return undefined
  const target = manifest.exports?.[`.${specifier.slice(manifest.name.length)}`]
  const file = typeof target === 'object' && target !== null ? target.default : target
  if (file === undefined) throw new Error(`${manifest.name} exports no ${specifier}`)
  return fileOf(join(root, file))
}

/**
 * Whether a file belongs to a package that imports the service as well, such as a plugin that another one builds
 * on, or is in TypeScript: Node would find another copy for the one and cannot run the other.
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

/** Several processes may write the same file. @param {string} file @param {string} text */
function writeWhole(file, text) {
  const unfinished = `${file}.${process.pid}`
  writeFileSync(unfinished, text)
  renameSync(unfinished, file)
}

const hashOf = (/** @type {string | Buffer} */ content) =>
  createHash('sha256').update(content).digest('hex').slice(0, 16)
