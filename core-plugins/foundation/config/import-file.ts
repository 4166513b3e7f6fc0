import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * Set by launch/service.mjs, which runs translated sources: returns the path of a file's translation, or undefined if
 * it has none.
 */
const translationOf = Symbol.for('mortise.translationOf')

type TranslationOf = (file: string) => string | undefined

const serviceFolder = join(import.meta.dirname, '../../..')

/** What a script exports, by name. */
export type Exports = Readonly<Record<string, unknown>>

/**
 * Imports a script whose absolute path is only known at run time: the config file, plugins. A script outside the
 * project, for example in a folder mounted into a container, is imported like one of a package.
 */
export async function importFile(file: string, projectFolder: string): Promise<Exports> {
  const isOutside = [projectFolder, serviceFolder].every((folder) => relative(folder, file).startsWith('..'))
  const script = isOutside ? undefined : knownTranslation(file)
  return script === undefined ? importFromPackage(file, projectFolder) : import(pathToFileURL(script).href)
}

/**
 * Imports a script of another package, in JavaScript or TypeScript, so that its imports of `mortise/…` resolve to the
 * running service.
 * @throws Error if the package does not translate
 */
export async function importFromPackage(file: string, projectFolder: string): Promise<Exports> {
  const { translatePackage } = await import('../../../launch/packages.mjs')
  const path = await translatePackage(file, { projectFolder, fileOf: translatedFile })
  return withDefault(await import(pathToFileURL(path).href))
}

/** Unwraps the default export of a script compiled to CommonJS, which Node nests in its own default export. */
function withDefault(exports: Exports): Exports {
  const whole = exports.default as Exports | null | undefined
  return typeof whole === 'object' && whole?.__esModule === true ? whole : exports
}

/** Returns the absolute path of the script to run: its translation under `npm start`, otherwise the script itself. */
export function translatedFile(file: string): string {
  const translated = knownTranslation(file)
  if (translated === undefined) throw new Error(`${file} is not among the scripts that are translated`)
  return translated
}

function knownTranslation(file: string): string | undefined {
  const translated = Reflect.get(globalThis, translationOf) as TranslationOf | undefined
  return translated === undefined ? file : translated(file)
}
