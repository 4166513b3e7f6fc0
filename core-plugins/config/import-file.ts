import { pathToFileURL } from 'node:url'

/** Set by launch/start.mjs, which runs translated sources: returns where the translation of a file is. */
const translationOf = Symbol.for('mortise.translationOf')

type TranslationOf = (file: string) => string

/** Imports a script whose absolute path is only known at run time: the config file, plugins. */
export function importFile(file: string): Promise<{ readonly default?: unknown }> {
  return import(pathToFileURL(translatedFile(file)).href)
}

/** Returns the absolute path of what to run for a script: its translation under `npm start`, else itself. */
export function translatedFile(file: string): string {
  const translated = Reflect.get(globalThis, translationOf) as TranslationOf | undefined
  return translated?.(file) ?? file
}
