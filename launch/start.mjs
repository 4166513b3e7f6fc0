// @ts-check
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { findSources, translationOf } from './sources.mjs'

/**
 * `npm start`: runs server.ts as tsx would, without the overhead of tsx, which translates each import in
 * another thread: more than a second and 60 MB at every start, mostly for the hundreds of small files of two
 * packages. Instead the sources are translated once, into node_modules/.cache, and Node runs the result until
 * a source changes. Where that is not possible, tsx runs the service.
 */
const root = join(import.meta.dirname, '..')
const server = join(root, 'server.ts')

async function useTranslation() {
  const sources = findSources({ root, projectFolder: process.cwd() })
  if (!sources.every((source) => source.isTranslated())) {
    const { translate } = await import('./translate.mjs')
    await translate(sources)
  }
  const find = (/** @type {string} */ file) => translationOf(sources, file)
  // The paths of the config file and of plugins are only known at run time; their importers look them up
  // here.
  Reflect.set(globalThis, Symbol.for('mortise.translationOf'), find)
  return find(server)
}

async function useTsx(/** @type {unknown} */ reason) {
  process.stderr.write(`The start takes longer because the sources could not be precompiled: ${reason}\n`)
  const { register } = await import('tsx/esm/api')
  register()
  return server
}

await import(pathToFileURL(await useTranslation().catch(useTsx)).href)
