// @ts-check
import { readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

/** @typedef {import('./sources.mjs').Sources} Sources */

/**
 * Packages that become part of the scripts: those that every start loads, since hundreds of small files take longer to find
 * than to run, and those that install many times what is run of them, such as code for other runtimes. What loads native code
 * cannot be among them, nor what other dependencies have to share with the service. hyper-express has to be: it asks for
 * uWebSockets.js by an address that only an override in the root package replaces.
 */
const bundledPackages = new Set([
  '@fastify/ajv-compiler',
  '@fastify/busboy',
  '@modelcontextprotocol/server',
  'ajv-formats',
  'big.js',
  'croner',
  'csv-parse',
  'csv-stringify',
  'culori',
  'drizzle-orm',
  'fast-jwt',
  'find-my-way',
  'hyper-express',
  'ipaddr.js',
  'lru-cache',
  'pino',
  'prom-client',
  'secure-json-parse',
  'semver',
  'stemmer',
  'tar-stream',
  'typebox',
  'uuid',
  'xxhash-wasm',
])
/** Loads native code on behalf of hyper-express. */
export const nativePackage = 'uWebSockets.js'

/** Scripts of the service that are found by their paths, besides what it exports and what it hands to threads. */
const startedByPath = ['server.ts', 'cli/developed.ts', 'cli/mortise.ts']
/** How a script names another that it hands to a thread. */
export const threadScript = /new URL\(\s*'(\.[^']+\.m?ts|\.[^']+\.mjs)',\s*import\.meta\.url/g

/** The package that a specifier means: `semver` for `semver/functions/satisfies.js`. @param {string} specifier */
export const packageOf = (specifier) =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')

/**
 * The scripts of the service that something finds by their paths; all others become part of what imports them.
 * @param {Sources} sources
 * @returns {string[]}
 */
export function entryPointsOf({ files, folder, exports }) {
  const named = [...exports.values(), ...startedByPath.map((path) => join(folder, path))]
  const all = new Set([...named, ...scriptsNamedIn([...files], threadScript)])
  // A comment may name one that does not exist.
  return [...all].filter((file) => files.has(file))
}

/**
 * The scripts that others name in a certain way.
 * @param {readonly string[]} files
 * @param {RegExp} naming
 */
export const scriptsNamedIn = (files, naming) =>
  files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(naming)].map(([, path = '']) => resolve(dirname(file), path)),
  )

/**
 * Whether what a script of the service, or of a package that became part of it, imports becomes part of it, too.
 * @param {string} specifier of a package
 * @param {string} importer
 * @param {Sources} sources
 */
export const becomesPart = (specifier, importer, { files }) =>
  specifier !== nativePackage && (bundledPackages.has(packageOf(specifier)) || !files.has(importer))
