// @ts-check
import { readFile } from 'node:fs/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { transform } from 'esbuild'
import { findTranslation } from './find-translation.mjs'

/*
 * Node's hooks for the scripts that a test has just written: they are translated, and what they import of the
 * service is the translated modules that run already.
 */

/** @typedef {import('./find-translation.mjs').Translations} Translations */

/** @type {Translations} */
let translations = []

/** @param {Translations} data */
export function initialize(data) {
  translations = data
}

/** @type {import('node:module').ResolveHook} */
export async function resolve(specifier, context, nextResolve) {
  const resolved = await nextResolve(specifier, context)
  if (!resolved.url.startsWith('file:')) return resolved
  const file = findTranslation(translations, fileURLToPath(resolved.url))
  return file === undefined ? resolved : { url: pathToFileURL(file).href, format: 'module' }
}

/** @type {import('node:module').LoadHook} */
export async function load(url, context, nextLoad) {
  if (!/^file:.*\.[mc]?ts$/.test(url)) return nextLoad(url, context)
  const sourcefile = fileURLToPath(url)
  const text = await readFile(sourcefile, 'utf8')
  const { code } = await transform(text, { loader: 'ts', format: 'esm', sourcefile, sourcemap: 'inline' })
  return { format: 'module', source: code, shortCircuit: true }
}
