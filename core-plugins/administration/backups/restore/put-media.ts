import { Readable } from 'node:stream'
import type { Media, MediaFile, MediaFormats } from '../../../delivery/media/media.ts'
import { mediaEntryName } from '../archive/entry-names.ts'
import type { ArchiveEntry, ArchiveReader } from '../archive/read-archive.ts'
import type { TableFit } from './fit.ts'

export interface MediaToPut {
  readonly archive: ArchiveReader
  /** The files named in the archive's records, in the order in which they were written. */
  readonly files: AsyncIterable<MediaFile>
  readonly media: Media
  readonly signal: AbortSignal
}

/**
 * Puts the files of an archive into the storage under their keys, except existing ones. Nothing refers to new
 * ones before the commit; without a commit they are removed again. Returns how many were added.
 */
export async function putMedia({ archive, files, media, signal }: MediaToPut): Promise<number> {
  const { storage } = media
  const entries = mediaEntries(archive)
  let put = 0
  try {
    let entry = await entries.next()
    for await (const { key, ...description } of files) {
      signal.throwIfAborted()
      // A file that was missing when the backup was made.
      if (entry.done || entry.value.name !== mediaEntryName(key)) continue
      const { size } = entry.value
      if ((await storage.stat(key))?.size !== size) {
        await media.files.announce([key])
        await storage.write(key, streamOf(archive, entry.value), { ...description, size })
        put += 1
      }
      entry = await entries.next()
    }
  } finally {
    await entries.return(undefined)
  }
  return put
}

function streamOf(archive: ArchiveReader, entry: ArchiveEntry): Readable {
  return entry.size === 0 ? Readable.from([]) : archive.stream(entry)
}

async function* mediaEntries(archive: ArchiveReader): AsyncGenerator<ArchiveEntry, undefined> {
  for await (const entry of archive.entries()) {
    if (entry.name.startsWith('media/')) yield entry
  }
  return undefined
}

/** Updates the addresses in media records: `storage.baseUrl` may have been different. */
export function addressesOf(fit: TableFit, media: Media): ((row: unknown[]) => void) | undefined {
  if (fit.target.type !== 'media') return undefined
  const placeOf = (name: string) => fit.columns.findIndex((column) => column.name === name)
  const [filenameAt, urlAt, formatsAt] = [placeOf('filename'), placeOf('url'), placeOf('formats')]
  return (row) => {
    const filename = String(row[filenameAt])
    const formats = (row[formatsAt] ?? {}) as MediaFormats
    const [, ...keys] = media.keysOf({ filename, formats })
    row[urlAt] = media.urlOf(filename)
    row[formatsAt] = Object.fromEntries(
      Object.entries(formats).map(([name, format], index) => [
        name,
        { ...format, url: media.urlOf(keys[index] ?? '') },
      ]),
    )
  }
}
