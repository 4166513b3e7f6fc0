import type { Media, MediaFile, MediaFormats } from '../../../delivery/media/media.ts'
import type { Manifest } from '../archive/manifest.ts'
import type { ArchiveReader } from '../archive/read-archive.ts'
import { archivedLines, type EntryIndex, parseRow } from '../archive/rows.ts'

export interface ArchivedMedia {
  readonly archive: ArchiveReader
  readonly entries: EntryIndex
  readonly tables: Manifest['tables']
  readonly media: Media
}

/** The files named in the media records of an archive, in the order of the records. */
export async function* filesOfRecords({
  archive,
  entries,
  tables,
  media,
}: ArchivedMedia): AsyncGenerator<MediaFile> {
  const table = tables.find(({ type }) => type === 'media')
  if (table === undefined) return
  const placeOf = (name: string) => table.columns.findIndex((column) => column.name === name)
  const [filenameAt, formatsAt, typeAt] = [placeOf('filename'), placeOf('formats'), placeOf('mime_type')]
  const untouchedAt = placeOf('untouched')
  for await (const line of archivedLines(archive, entries, table)) {
    const values = parseRow(line, table)
    yield* media.filesOf({
      filename: String(values[filenameAt]),
      formats: (values[formatsAt] ?? {}) as MediaFormats,
      mimeType: String(values[typeAt]),
      // Older backups have no such column.
      untouched: values[untouchedAt] as string | null | undefined,
    })
  }
}
