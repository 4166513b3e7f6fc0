import { isMediaKey, keyIn } from '../../../delivery/media/media.ts'
import { DamagedArchive } from './damaged-archive.ts'
import type { ArchivedTable } from './manifest.ts'

/** Checks that the files named in a row of media records have valid storage keys. @throws DamagedArchive */
export type CheckMediaRow = (row: readonly unknown[]) => void

/** For the table of media records, identified by the type in the manifest; undefined for all others. */
export function mediaRowCheck({
  type,
  columns,
}: Pick<ArchivedTable, 'type' | 'columns'>): CheckMediaRow | undefined {
  if (type !== 'media') return undefined
  const placeOf = (name: string) => columns.findIndex((column) => column.name === name)
  const [filenameAt, formatsAt, untouchedAt] = ['filename', 'formats', 'untouched'].map(placeOf) as [
    number,
    number,
    number,
  ]
  return (row) => {
    assertKey(row[filenameAt])
    for (const url of thumbnailUrls(row[formatsAt] ?? {})) {
      assertKey(typeof url === 'string' ? keyIn(url) : url)
    }
    // Older backups have no such column.
    assertKey(row[untouchedAt] ?? row[filenameAt])
  }
}

function thumbnailUrls(formats: unknown): unknown[] {
  if (typeof formats !== 'object' || formats === null || Array.isArray(formats)) return [formats]
  return Object.values(formats).map((format) => (format as { url?: unknown } | null)?.url)
}

function assertKey(key: unknown): void {
  if (typeof key === 'string' && isMediaKey(key)) return
  const shown = JSON.stringify(key)?.slice(0, 200)
  throw new DamagedArchive(`holds a media record that names ${shown}, which is not a file name`)
}
