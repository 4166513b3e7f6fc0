// @ts-check
import { existsSync } from 'node:fs'
import { join, relative, sep } from 'node:path'

/**
 * Where the translation of a folder's scripts is; a folder comes before the one that it lies in.
 * @typedef {readonly (readonly [folder: string, cache: string])[]} Translations
 */

/**
 * What to run in place of a file, if it is translated.
 * @param {Translations} translations
 * @param {string} file
 */
export function findTranslation(translations, file) {
  for (const [folder, cache] of translations) {
    if (!file.startsWith(folder + sep)) continue
    const output = join(cache, relative(folder, file).replace(/\.[mc]?[jt]s$/, '.js'))
    if (existsSync(output)) return output
  }
  return undefined
}
