// @ts-check
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { findSources, findTranslation, isPackage, translationOf } from './sources.mjs'

/*
 * Runs the service as tsx would, but without the overhead of tsx, which translates each import in another thread:
 * more than a second and 60 MB at every start, mostly for the hundreds of small files of two packages. Instead,
 * scripts are translated once, into node_modules/.cache, and Node runs the result until one of them changes. In the
 * installed package the service's scripts are translated already, so only those of the project remain.
 */

const root = join(import.meta.dirname, '..')
/** Whether this is the package, whose scripts are translated already, instead of its sources. */
export const isInstalled = isPackage(root)

/**
 * Starts the service of a project in this process, whose working directory must be the project's folder.
 * @param {string} projectFolder
 * @param {string} script The script that starts it, without the extension.
 */
export async function startService(projectFolder, script = 'server') {
  await importScript(script, await useTranslation(projectFolder).catch(useTsx))
}

/**
 * @param {string} script Of the service, without the extension.
 * @param {(file: string) => string} find Returns the file to import instead.
 */
export const importScript = (script, find) =>
  import(pathToFileURL(find(join(root, `${script}.${isInstalled ? 'js' : 'ts'}`))).href)

/**
 * Translates scripts that are not translated yet, and makes this process run the translation of scripts whose paths
 * are only known at run time: the config file and plugins. Their importers look the translations up here.
 * @param {string} projectFolder
 * @returns {Promise<(file: string) => string>} a function that returns the file to import for a script of the service
 * @throws TranslationError if the translation cannot be written
 */
export async function useTranslation(projectFolder) {
  const sources = await prepare(projectFolder)
  const find = (/** @type {string} */ file) => findTranslation(sources, file)
  Reflect.set(globalThis, Symbol.for('mortise.translationOf'), find)
  return (file) => translationOf(sources, file)
}

/** The scripts of a project cannot be translated. */
export class TranslationError extends Error {}

/**
 * Translates ahead of the first start, for example when an image is built.
 * @param {string} projectFolder
 * @throws TranslationError if the translation cannot be written
 */
export async function prepare(projectFolder) {
  try {
    const sources = findSources({ root, projectFolder })
    if (!sources.every((source) => source.isTranslated())) {
      const { translate } = await import('./translate.mjs')
      await translate(sources)
    }
    return sources
  } catch (error) {
    const reason = error instanceof Error ? error.message : error
    throw new TranslationError(
      `The scripts of ${projectFolder} cannot be translated into node_modules/.cache: ${reason}. Where that must not be written, run \`mortise prepare\` while it can be, as when an image is built`,
    )
  }
}

/**
 * For projects whose node_modules cannot be written. The installed package does not include tsx: JavaScript then runs
 * unchanged, and TypeScript cannot run.
 * @param {unknown} error
 */
async function useTsx(error) {
  const problem = error instanceof Error ? error.message : String(error)
  process.stderr.write(`${problem}\n`)
  if (isInstalled) return (/** @type {string} */ file) => file
  process.stderr.write('The start takes longer because of that\n')
  const { register } = await import('tsx/esm/api')
  register()
  return (/** @type {string} */ file) => file
}
