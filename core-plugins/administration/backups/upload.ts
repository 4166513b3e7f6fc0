import type { Config } from '../../foundation/config/config.ts'
import { AppError, type RouteRequest } from '../../foundation/http/http.ts'
import { type BackupStore, pendingRow } from './backup-store.ts'
import { defaultRetentionDays } from './catalog.ts'
import type { Archives } from './files/archives.ts'
import { countsOf } from './pack/pack-archive.ts'
import type { UploadFields } from './receive-upload.ts'
import type { Inspector } from './restore/inspect.ts'
import type { SectionTable } from './section-tables.ts'
import { maxUploadSize } from './settings.ts'
import type { BackupRow } from './tables.ts'

export interface UploadDeps {
  readonly config: Config
  readonly archives: Archives
  readonly store: BackupStore
  readonly inspector: Inspector
  readonly tables: () => readonly SectionTable[]
}

/** Takes a file that was downloaded from a service of this kind, verifies it and adds it to the catalog. */
export async function takeUpload(
  request: Pick<RouteRequest, 'header' | 'stream' | 'signal'>,
  deps: UploadDeps,
): Promise<BackupRow> {
  const { config, archives } = deps
  const path = await archives.newPartial()
  try {
    // Its parser is loaded with the first upload.
    const { receiveUpload } = await import('./receive-upload.ts')
    const fields = await receiveUpload(request, { path, maxSize: config.get(maxUploadSize) })
    const retentionDays = readRetention(fields)
    return await addArchive(path, { name: fields.name, retentionDays, signal: request.signal }, deps)
  } finally {
    await archives.discard(path)
  }
}

export interface NewArchive {
  /** Default: the name in the manifest. */
  readonly name: string | undefined
  readonly retentionDays?: number
  readonly signal: AbortSignal
}

/** Verifies a complete local file, which may be gone afterwards, and adds it to the catalog. @throws AppError 400 */
export async function addArchive(
  path: string,
  { name: given, retentionDays = defaultRetentionDays, signal }: NewArchive,
  { archives, store, inspector, tables }: Pick<UploadDeps, 'archives' | 'store' | 'inspector' | 'tables'>,
): Promise<BackupRow> {
  const { manifest, size, checksum } = await inspector.verify(path, undefined, signal)
  const fileName = archives.newName()
  const counts = countsOf(manifest, tables())
  const name = (given?.trim() || manifest.name).slice(0, 200)
  const row = pendingRow({ name, sections: manifest.sections, retentionDays })
  // A failed record keeps track of the file if this process dies before it is completed.
  const { id } = await store.insert({ ...row, fileName, status: 'failed', error: 'the upload was cut off' })
  await archives.keep(path, fileName, signal)
  await store.complete(id, { size, checksum, counts, fileName })
  return assertBackup(await store.find(id))
}

function assertBackup(backup: BackupRow | undefined): BackupRow {
  if (backup !== undefined) return backup
  throw new AppError('CONFLICT', 'the backup was deleted while it was uploaded')
}

function readRetention({ retentionDays }: UploadFields): number {
  if (retentionDays === undefined || retentionDays.trim() === '') return defaultRetentionDays
  const days = Number(retentionDays)
  if (days >= 0 && days <= 36_500) return days
  throw AppError.invalid([
    { path: 'retentionDays', code: 'type', message: 'must be a number of days from 0 to 36500' },
  ])
}
