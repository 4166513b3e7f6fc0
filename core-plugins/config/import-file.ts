import { pathToFileURL } from 'node:url'

/** Set by launch/start.mjs, which runs a translation of the sources: where that of a file is. */
const translationOf = Symbol.for('mortise.translationOf')

type TranslationOf = (file: string) => string

/** Imports a script whose absolute path is learnt at run time: the config file, plugins. */
export function importFile(file: string): Promise<{ readonly default?: unknown }> {
  return import(pathToFileURL(translatedFile(file)).href)
}

/** The absolute path of what to run in place of a script: its translation under `npm start`, else itself. */
export function translatedFile(file: string): string {
  const translated = Reflect.get(globalThis, translationOf) as TranslationOf | undefined
  return translated?.(file) ?? file
}
