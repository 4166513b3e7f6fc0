import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { findTestSources, translationOf } from '../../launch/sources.mjs'
import { translate } from '../../launch/translate.mjs'

const ownRoot = join(import.meta.dirname, '../..')

/** How Node runs tests without tsx, which needs more time to translate what a service imports than most tests take. */
export interface TranslatedTests {
  /** For Node, before `--test`. */
  readonly options: readonly string[]
  /** What to run in place of a test file, whose path is from the project's root. */
  translationOf(file: string): string
}

/**
 * Translates what has changed since the last time, of this project or of a copy of it.
 * @throws Error if a script cannot be translated
 */
export async function translateTests(root = ownRoot): Promise<TranslatedTests> {
  const sources = findTestSources(root)
  await translate(sources)
  const use = pathToFileURL(join(import.meta.dirname, 'use.mjs'))
  // The folder of the tests before the root, in which it lies.
  const translations = sources.toReversed().map(({ folder, cache }) => [folder, cache])
  use.searchParams.set('translations', JSON.stringify(translations))
  return {
    options: ['--enable-source-maps', `--import=${use}`],
    translationOf: (file) => translationOf(sources, join(root, file)),
  }
}
