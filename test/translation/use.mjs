// @ts-check
import { register } from 'node:module'
import { findTranslation } from './find-translation.mjs'

/*
 * Imported before a translated test file, with all translations in the query: does for scripts whose paths are
 * learnt at run time what launch/start.mjs does for them. Hooks translate those that a test has just written, and
 * find the service that they import; they start when the first of them is there, since most tests write none, and
 * hooks make every import slow.
 */

/** @type {import('./find-translation.mjs').Translations} */
const translations = JSON.parse(new URL(import.meta.url).searchParams.get('translations') ?? '[]')
let areHooksOn = false

/** @param {string} file */
function translationOf(file) {
  const translation = findTranslation(translations, file)
  if (translation === undefined && /\.[mc]?[jt]s$/.test(file)) turnHooksOn()
  return translation ?? file
}

function turnHooksOn() {
  if (areHooksOn) return
  areHooksOn = true
  register('./hooks.mjs', import.meta.url, { data: translations })
}

Reflect.set(globalThis, Symbol.for('mortise.translationOf'), translationOf)
