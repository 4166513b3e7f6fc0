import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { BuiltApp, Entries, FileEncoding } from './built-app.ts'
import type { Bundle } from './bundle-app.ts'
import { type Encoded, encode, encodedFile, type KeptEncoding, plainFile } from './encode.ts'

const extensions: Readonly<Record<KeptEncoding, string>> = { plain: '', br: '.br' }

/** Lists the files of the folder; written last, and the folder gets its final name when it is complete. */
const listName = 'app.json'

interface StoredList {
  readonly names: readonly string[]
  readonly encodings: readonly KeptEncoding[]
  readonly entries: Entries
}

/** The application stored in a folder; undefined if there is none. */
export function readStored(folder: string): BuiltApp | undefined {
  const list = join(folder, listName)
  if (!existsSync(list)) return undefined
  const { names, encodings, entries } = JSON.parse(readFileSync(list, 'utf8')) as StoredList
  const fileAt = (name: string) => {
    const read = (encoding: KeptEncoding) => readFile(join(folder, name + extensions[encoding]))
    if (encodings.includes('br')) return encodedFile(read)
    return { read: async (encoding: FileEncoding) => (encoding === 'plain' ? read(encoding) : undefined) }
  }
  return { entries, files: new Map(names.map((name) => [name, fileAt(name)])) }
}

/** Writes an application with its files compressed. @throws Error if the folder cannot be written */
export const store = async (bundle: Bundle, folder: string): Promise<void> =>
  write({ bundle, folder, files: await encodeAll(bundle) })

/** Stores an application uncompressed, for a browser on the same machine. @throws Error if the folder cannot be written */
export const storePlain = (bundle: Bundle, folder: string): void =>
  write({ bundle, folder, files: bundle.files.map(({ name, contents }) => [name, { plain: contents }]) })

interface Written {
  readonly bundle: Bundle
  readonly folder: string
  readonly files: readonly (readonly [name: string, encoded: Partial<Encoded>])[]
}

function write({ bundle, folder, files }: Written) {
  mkdirSync(dirname(folder), { recursive: true })
  const unfinished = mkdtempSync(`${folder}-`)
  try {
    const encodings = Object.keys(files[0]?.[1] ?? {}) as KeptEncoding[]
    for (const [name, encoded] of files) {
      for (const encoding of encodings) {
        writeFileSync(join(unfinished, name + extensions[encoding]), encoded[encoding] ?? '')
      }
    }
    const { entries } = bundle
    const list: StoredList = { names: files.map(([name]) => name), encodings, entries }
    writeFileSync(join(unfinished, listName), JSON.stringify(list))
    renameSync(unfinished, folder)
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true })
    // Another process may have stored it first.
    if (!existsSync(join(folder, listName))) throw error
  }
}

/** Keeps an application in memory, with compressed files. */
export async function hold(bundle: Bundle): Promise<BuiltApp> {
  const encoded = await encodeAll(bundle)
  const files = encoded.map(
    ([name, file]) => [name, encodedFile(async (encoding) => file[encoding])] as const,
  )
  return { entries: bundle.entries, files: new Map(files) }
}

/** Keeps an application in memory uncompressed, for a browser on the same machine. */
export const holdPlain = ({ files, entries }: Bundle): BuiltApp => ({
  entries,
  files: new Map(files.map(({ name, contents }) => [name, plainFile(contents)])),
})

const encodeAll = ({ files }: Bundle) =>
  Promise.all(files.map(async ({ name, contents }) => [name, await encode(contents)] as const))
