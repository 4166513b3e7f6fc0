import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser'
import type { Plugin } from 'esbuild'
import { appFolder, filesIn } from './app-sources.ts'

interface Catalogue {
  readonly [name: string]: string | Catalogue
}

interface CompiledCatalogue {
  readonly [name: string]: string | MessageFormatElement[] | CompiledCatalogue
}

const folder = join(appFolder, 'ground/locales')
const english = join(folder, 'en.json')

/** The languages of the panel: one per catalogue file. */
export const languages = (): string[] =>
  filesIn(folder).flatMap((file) => (file.includes('/sign-in/') ? [] : [basename(file, '.json')]))

/**
 * Sections not needed for lists, by the part of the catalogue in which they are loaded, together with the code that uses them
 * (`withTexts`). All other sections are in the part `first`.
 */
const laterSections: Readonly<Record<string, string>> = {
  ...inPart('forms', [
    ...['entry', 'richtext', 'json', 'blocks', 'references', 'relation', 'mediaField', 'diff', 'history'],
    ...['publication', 'removal', 'status', 'workflow', 'media'],
  ]),
  ...inPart('board', ['board']),
  ...inPart('calendar', ['calendar', 'releases']),
  ...inPart('discussion', ['discussion', 'presence']),
  ...inPart('inbox', ['inbox']),
  ...inPart('model', ['model']),
  ...inPart('operations', ['operations']),
  ...inPart('people', ['people', 'profile']),
  ...inPart('preview', ['preview']),
  ...inPart('requests', ['requests']),
  ...inPart('resources', ['resources']),
  ...inPart('translation', ['translation']),
}

function inPart(part: string, sections: readonly string[]): Record<string, string> {
  return Object.fromEntries(sections.map((section) => [section, part]))
}

/**
 * Parses texts at build time, since a parser in the browser would be larger than all texts. Missing texts are filled in from
 * English, so that a browser loads one catalogue.
 */
export const catalogues: Plugin = {
  name: 'catalogues',
  setup({ onLoad, onResolve, resolve }) {
    onResolve({ filter: /^panel:texts$/ }, ({ path }) => ({ path, namespace: 'texts' }))
    onResolve({ filter: /\?\w+$/, namespace: 'texts' }, ({ path }) => {
      const [file = '', part] = path.split('?')
      return { path: join(folder, file), suffix: `?${part}` }
    })
    onLoad({ filter: /^panel:texts$/, namespace: 'texts' }, () => ({
      contents: textsModule(),
      watchDirs: [folder],
    }))
    onLoad({ filter: /[\\/]ground[\\/]locales[\\/]\w+\.json$/ }, ({ path, suffix }) => ({
      contents: JSON.stringify(partOf(compile(read(english), read(path)), suffix.slice(1))),
      loader: 'json',
      watchFiles: [english, path],
    }))
    onResolve({ filter: /^@formatjs\/icu-messageformat-parser$/ }, ({ path, importer, kind, resolveDir }) =>
      /[\\/]intl-messageformat[\\/]/.test(importer)
        ? resolve(`${path}/no-parser.js`, { kind, resolveDir })
        : undefined,
    )
  },
}

const read = (file: string): Catalogue => JSON.parse(readFileSync(file, 'utf8'))

/** The source of `panel:texts`: a loader for each part of each catalogue. */
function textsModule(): string {
  const parts = [...new Set(['first', ...Object.values(laterSections)])]
  const loaderOf = (language: string) => (part: string) =>
    `${part}: () => import('./${language}.json?${part}')`
  const catalogue = (language: string) => `${language}: { ${parts.map(loaderOf(language)).join(', ')} }`
  return `export default { ${languages().map(catalogue).join(', ')} }`
}

const partOf = (catalogue: CompiledCatalogue, part: string) =>
  Object.fromEntries(Object.entries(catalogue).filter(([name]) => (laterSections[name] ?? 'first') === part))

function compile(original: Catalogue, translated: Catalogue): CompiledCatalogue {
  const names = new Set([...Object.keys(original), ...Object.keys(translated)])
  return Object.fromEntries([...names].map((name) => [name, compileOne(original[name], translated[name])]))
}

function compileOne(original: string | Catalogue | undefined, translated: string | Catalogue | undefined) {
  const chosen = translated ?? original ?? ''
  if (typeof chosen === 'string') return compileText(chosen)
  return compile(typeof original === 'object' ? original : {}, chosen)
}

/** Texts without placeholders stay strings. */
function compileText(text: string): string | MessageFormatElement[] {
  const elements = parse(text, { captureLocation: false })
  const isPlain = elements.every(({ type }) => type === TYPE.literal)
  return isPlain ? elements.map((element) => ('value' in element ? element.value : '')).join('') : elements
}
