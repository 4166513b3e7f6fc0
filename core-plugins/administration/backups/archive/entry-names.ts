import { isMediaKey } from '../../../delivery/media/media.ts'

/** The names of the files in an archive; it may contain no others. */
export const entryNames = {
  header: 'mortise-backup.json',
  checksums: 'checksums.txt',
  manifest: 'manifest.json',
  seal: 'manifest.sha256',
} as const

/** `schemas` or `components`, with the file's name. */
export const schemaEntryPattern = /^(schemas|components)\/([A-Za-z0-9][\w.-]{0,80}\.json)$/

const rowsEntryPattern = /^tables\/\d{4}-\w{1,50}\/\d{6}\.ndjson\.gz$/

const wholeNames: ReadonlySet<string> = new Set(Object.values(entryNames))

/** The name of one part of a table's rows. */
export function rowsEntryName(tableIndex: number, table: string, part: number): string {
  const folder = `${String(tableIndex).padStart(4, '0')}-${table.slice(0, 50)}`
  return `tables/${folder}/${String(part).padStart(6, '0')}.ndjson.gz`
}

const mediaFolder = 'media/'

export const mediaEntryName = (key: string) => `${mediaFolder}${key}`

export function isMediaEntryName(name: string): boolean {
  return name.startsWith(mediaFolder) && isMediaKey(name.slice(mediaFolder.length))
}

/** Whether an archive may contain a file of this name. */
export function isEntryName(name: string): boolean {
  const isKnown = wholeNames.has(name) || isMediaEntryName(name)
  return isKnown || schemaEntryPattern.test(name) || rowsEntryPattern.test(name)
}
