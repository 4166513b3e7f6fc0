import type { Log } from '../../../../kernel/index.ts'
import type { Media } from '../../../delivery/media/media.ts'
import type { Database } from '../../../foundation/database/database.ts'
import type { Sections } from '../../../foundation/sections/sections.ts'
import { defineTask, type Threads } from '../../../foundation/threads/threads.ts'
import type { ArchiveLimits } from '../archive/limits.ts'
import { formatVersion, type Manifest } from '../archive/manifest.ts'
import { type ArchiveReader, openArchive } from '../archive/read-archive.ts'
import type { BackupCounts } from '../backups.ts'
import type { SchemaFiles } from '../restore/schema-files.ts'
import { type SectionTable, toDump } from '../section-tables.ts'
import { appendMedia } from './append-media.ts'
import type { DumpResult } from './dump-task.ts'
import { filesOfRecords } from './media-files.ts'
import type { SealedArchive } from './seal-task.ts'

const dump = defineTask<typeof import('./dump-task.ts').default>(new URL('./dump-task.ts', import.meta.url))
const seal = defineTask<typeof import('./seal-task.ts').default>(new URL('./seal-task.ts', import.meta.url))

/** A day: larger sites use other means of backup. */
export const longestTaskMs = 24 * 60 * 60_000

export interface PackDeps {
  readonly database: Database
  readonly threads: Threads
  readonly media: Media | undefined
  readonly schemaFiles: SchemaFiles
  /** All tables of all sections. */
  readonly tables: () => readonly SectionTable[]
  readonly serviceVersion: string
  readonly limits: () => ArchiveLimits
  readonly log: Log
}

export interface ArchiveToPack {
  /** The path of the archive; no file exists there yet. */
  readonly path: string
  readonly name: string
  readonly sections: Sections
  readonly signal: AbortSignal
  reportProgress(percent: number): void
}

export interface PackedArchive extends SealedArchive {
  readonly counts: BackupCounts
}

/** Writes an archive of the current state. It is complete and synced to disk when this resolves. */
export async function packArchive(deps: PackDeps, work: ArchiveToPack): Promise<PackedArchive> {
  const { database, threads } = deps
  const { path, name, sections, signal, reportProgress } = work
  const options = { signal, timeoutMs: longestTaskMs }
  const header = {
    format: formatVersion,
    service: deps.serviceVersion,
    database: database.dialect.name,
    ...{ name, sections },
  } as const
  const files = (await deps.schemaFiles.list()).filter(({ section }) => sections[section])
  const tables = deps.tables().filter(({ section }) => sections[section])
  const dumped = await threads.runLong(
    dump,
    {
      source: database.snapshotSource,
      path,
      header,
      tables: tables.map(toDump),
      maxRowBytes: deps.limits().maxRowBytes,
      schemaFiles: files.map((file) => ({
        name: `${file.section}/${file.name}`,
        path: deps.schemaFiles.pathOf(file),
      })),
    },
    options,
  )
  reportProgress(40)
  const missingMedia = await copyMedia(deps, work, dumped)
  reportProgress(80)
  const sealed = await threads.runLong(seal, { path, manifest: { ...header, ...dumped } }, options)
  return { ...sealed, counts: countsOf(sealed.manifest, tables, missingMedia) }
}

/** Returns how many files the storage does not have. */
async function copyMedia(deps: PackDeps, { path, sections, signal }: ArchiveToPack, { tables }: DumpResult) {
  const { media, log } = deps
  if (!sections.media || media === undefined) return 0
  const archive = await openArchive(path)
  try {
    const entries = await entriesOf(archive)
    const files = filesOfRecords({ archive, entries, tables, media })
    const { missing, missingCount } = await appendMedia({ path, files, storage: media.storage, signal })
    if (missingCount > 0) {
      log.warn(
        { missing, count: missingCount },
        'files of media records are missing, and so not in the backup',
      )
    }
    return missingCount
  } finally {
    await archive.close()
  }
}

async function entriesOf(archive: ArchiveReader) {
  const entries = new Map()
  for await (const entry of archive.unfinishedEntries()) entries.set(entry.name, entry)
  return entries
}

/** How many items an archive holds, by section. */
export function countsOf(
  manifest: Manifest,
  tables: readonly Pick<SectionTable, 'name' | 'label'>[],
  missingMedia = 0,
): BackupCounts {
  const labels = new Map(tables.map(({ name, label }) => [name, label]))
  const counts: Record<string, Record<string, number>> = {}
  for (const { name, section, type, rows } of manifest.tables) {
    counts[section] = { ...counts[section], [type ?? labels.get(name) ?? name]: rows }
  }
  const { media, schemas, components, sections } = manifest
  if (sections.media) counts.media = { ...counts.media, files: media.files, bytes: media.bytes }
  if (missingMedia > 0) counts.media = { ...counts.media, missingFiles: missingMedia }
  if (sections.schemas) counts.schemas = { files: schemas.length }
  if (sections.components) counts.components = { files: components.length }
  return counts
}
