import { pathToFileURL } from 'node:url'

/** Set by launch/service.mjs, which runs translated sources: returns where the translation of a file is. */
const translationOf = Symbol.for('mortise.translationOf')

type TranslationOf = (file: string) => string

/** What a script exports, by name. */
export type Exports = Readonly<Record<string, unknown>>

/** Imports a script whose absolute path is only known at run time: the config file, plugins. */
export function importFile(file: string): Promise<Exports> {
  return import(pathToFileURL(translatedFile(file)).href)
}

/**
 * Imports a script of another package, in JavaScript or TypeScript, so that what it imports as `mortise/…` is what
 * is running. @throws Error if the package does not translate
 */
export async function importFromPackage(file: string, projectFolder: string): Promise<Exports> {
  const { translatePackage } = await import('../../launch/packages.mjs')
  const path = await translatePackage(file, { projectFolder, fileOf: translatedFile })
  return withDefault(await import(pathToFileURL(path).href))
}

/** What a compiler made CommonJS of has its default export inside of what Node takes for the default export. */
function withDefault(exports: Exports): Exports {
  const whole = exports.default as Exports | null | undefined
  return typeof whole === 'object' && whole?.__esModule === true ? whole : exports
}

/** Returns the absolute path of what to run for a script: its translation under `npm start`, else itself. */
export function translatedFile(file: string): string {
  const translated = Reflect.get(globalThis, translationOf) as TranslationOf | undefined
  return translated?.(file) ?? file
}
