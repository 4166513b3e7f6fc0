import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { type Auth, operator } from '../../../accounts/auth/auth.ts'
import type { Audit } from '../../../background/audit/audit.ts'
import type { Jobs } from '../../../background/jobs/jobs.ts'
import { deleteFilesKind, type Media, type MediaFormats } from '../../../delivery/media/media.ts'
import { type Database, query, type Transaction } from '../../../foundation/database/database.ts'
import { AppError, type ErrorDetail, type Principal } from '../../../foundation/http/http.ts'
import type { RestoreStep } from '../../../foundation/sections/sections.ts'
import type { ChangedBy, RuntimeConfig } from '../../runtime-config/runtime-config.ts'
import { type ArchiveReader, openArchive } from '../archive/read-archive.ts'
import { archivedLines, parseRow } from '../archive/rows.ts'
import type { BackupStore } from '../backup-store.ts'
import type { Archives } from '../files/archives.ts'
import { filesOfRecords } from '../pack/media-files.ts'
import { principalOf, type Requester } from '../requester.ts'
import type { RestoreStore } from '../restore-store.ts'
import type { SectionRights } from '../section-rights.ts'
import { configTableName, type SectionTable } from '../section-tables.ts'
import type { RestoreRow } from '../tables.ts'
import { breathe } from './empty-tables.ts'
import { type ArchiveFile, entryIndex, type InspectedArchive, type Inspector } from './inspect.ts'
import { addressesOf, putMedia } from './put-media.ts'
import { type LostReferences, restoreTables } from './restore-tables.ts'
import type { SchemaFiles } from './schema-files.ts'
import { allowedRoles, findReplacedRoles, type ReplacedRoles } from './user-roles.ts'

export interface RestoreDeps {
  readonly database: Database
  readonly auth: Auth
  readonly jobs: Jobs
  readonly media: Media | undefined
  readonly runtimeConfig: RuntimeConfig | undefined
  readonly audit: Audit | undefined
  readonly schemaFiles: SchemaFiles
  readonly inspector: Inspector
  readonly backups: BackupStore
  readonly archives: Archives
  readonly restores: RestoreStore
  readonly rights: SectionRights
  /** All tables of all sections. */
  readonly tables: () => readonly SectionTable[]
  /** Updates the derived data of other plugins. */
  readonly steps: () => readonly RestoreStep[]
}

/** The result of a restore. */
export interface RestoreResult {
  /** Rows, by section and type. */
  readonly restored: Readonly<Record<string, Readonly<Record<string, number>>>>
  readonly lostReferences: LostReferences
  readonly replacedRoles: ReplacedRoles
  /** Settings that could not be applied, and why. */
  readonly skippedSettings: readonly { readonly key: string; readonly reason: string }[]
  /** Files that were put into the storage; the others already existed. */
  readonly filesWritten: number
  readonly schemaFilesWritten: readonly string[]
  readonly restartRequired: boolean
}

export interface RestoreWork {
  readonly restore: RestoreRow
  readonly signal: AbortSignal
  reportProgress(percent: number): void
}

/**
 * Restores a backup, completely or not at all. Safe to repeat wherever it was interrupted: before the commit
 * nothing has changed, and after it only schema files remain to be written.
 * @throws AppError 400, 403 if the requester no longer may restore it, 404, 409
 */
export async function runRestore(deps: RestoreDeps, work: RestoreWork): Promise<RestoreResult> {
  const { restore, signal } = work
  const backup = await deps.backups.find(restore.backupId)
  if (backup === undefined) throw AppError.notFound(`backup ${restore.backupId}`)
  return deps.archives.withFile(backup, signal, (path) => restoreFile(deps, work, { path, backup }))
}

async function restoreFile(deps: RestoreDeps, work: RestoreWork, file: ArchiveFile): Promise<RestoreResult> {
  const { restore, signal } = work
  const inspected = await deps.inspector.inspect(file, restore.sections, signal)
  const differing = await deps.schemaFiles.differing(inspected.schemaFiles)
  if (restore.status === 'committed') {
    await deps.schemaFiles.write(differing)
    return restore.result as RestoreResult
  }
  const principal = await requesterNow(deps, restore)
  deps.rights.assertRestorer(principal, inspected.sections)
  assertNoProblems(await deps.inspector.problemsOf(inspected, signal))
  await deps.schemaFiles.assertUsable(differing)
  work.reportProgress(30)
  const written = differing.map(({ section, name }) => `${section}/${name}`)
  const result = await restoreData(deps, work, { inspected, written, principal })
  await deps.schemaFiles.write(differing)
  return result
}

/** With current rights: a restore may wait, or be resumed, after a long time. @throws AppError 403 */
async function requesterNow({ auth }: RestoreDeps, { requestedBy }: RestoreRow): Promise<Principal> {
  if (isOperator(requestedBy)) return operator
  const principal = await auth.makers.find(auth.makers.nameOf(principalOf(requestedBy)))
  if (principal !== undefined) return principal
  throw AppError.forbidden('whoever asked for the restore is blocked or gone by now')
}

const isOperator = ({ kind, ...requester }: Requester) =>
  kind === 'admin' && 'id' in requester && requester.id === operator.id

function assertNoProblems(problems: readonly ErrorDetail[]): void {
  const [first] = problems
  if (first === undefined) return
  const message = `the backup does not fit the content types of this service, and parts of it would be lost: ${first.path} ${first.message}`
  throw new AppError('CONFLICT', message, { details: problems })
}

interface Prepared {
  readonly inspected: InspectedArchive
  /** Schema files to be written. */
  readonly written: readonly string[]
  readonly principal: Principal
}

async function restoreData(
  deps: RestoreDeps,
  work: RestoreWork,
  { inspected, written, principal }: Prepared,
): Promise<RestoreResult> {
  const archive = await openArchive(inspected.path)
  try {
    const filesWritten = await restoreFiles(deps, work, { archive, inspected })
    work.reportProgress(60)
    const result = { filesWritten, schemaFilesWritten: written, restartRequired: written.length > 0 }
    return await commit(deps, work, { archive, inspected, principal, result })
  } finally {
    await archive.close()
  }
}

async function restoreFiles(
  { media, jobs }: RestoreDeps,
  { signal }: RestoreWork,
  { archive, inspected }: { archive: ArchiveReader; inspected: InspectedArchive },
): Promise<number> {
  if (!inspected.sections.media || media === undefined) return 0
  await deletionsEnded(jobs, signal)
  return putMedia({ archive, files: filesIn(archive, inspected, media), media, signal })
}

function filesIn(archive: ArchiveReader, { verified }: InspectedArchive, media: Media) {
  return filesOfRecords({ archive, entries: entryIndex(verified), tables: verified.manifest.tables, media })
}

const lookEveryMs = 100

/**
 * Removals that start from now on see that a restore is active; one that started before could still remove a
 * file.
 */
async function deletionsEnded(jobs: Jobs, signal: AbortSignal): Promise<void> {
  while (((await jobs.stats()).byName[deleteFilesKind]?.active ?? 0) > 0) {
    await delay(lookEveryMs, undefined, { signal })
  }
}

interface Commit {
  readonly archive: ArchiveReader
  readonly inspected: InspectedArchive
  readonly principal: Principal
  readonly result: Pick<RestoreResult, 'filesWritten' | 'schemaFilesWritten' | 'restartRequired'>
}

function commit(
  deps: RestoreDeps,
  { restore }: RestoreWork,
  { archive, inspected, principal, result }: Commit,
) {
  const { database, restores, audit, auth, media } = deps
  const { sections, fit, verified } = inspected
  const mayGive = (role: string) => auth.mayGiveRole(principal, role)
  const isSetting = ({ name }: { name: string }) => name === configTableName
  const rowsFit = {
    ...fit,
    tables: fit.tables.filter(({ target }) => !isSetting(target)),
    emptied: fit.emptied.filter((table) => !isSetting(table)),
  }
  return database.transaction(async (tx): Promise<RestoreResult> => {
    const current = await restores.lock(restore.id, tx)
    // Another process has taken the job over and was faster.
    if (current?.status === 'committed') return current.result as RestoreResult
    if (current?.active !== 1) throw new AppError('CONFLICT', 'the restore was given up')
    if (sections.media && media !== undefined) await discardFiles(database, media, tx)
    const users = { archive, entries: entryIndex(verified), fit: rowsFit }
    const replacedRoles = await findReplacedRoles(users, mayGive)
    const lostReferences = await restoreTables(
      {
        ...{ database, archive, fit: rowsFit },
        entries: entryIndex(verified),
        running: deps.tables(),
        adjustment: (table) => allowedRoles(table, mayGive) ?? (media && addressesOf(table, media)),
      },
      tx,
    )
    if (sections.content) await auth.contentUsersReplaced(tx)
    const skippedSettings = sections.config
      ? await restoreSettings(deps, { archive, inspected, by: changedBy(principal, restore) }, tx)
      : []
    if (media !== undefined && (sections.media || sections.content)) await media.reindexUsages(tx)
    if (sections.media && media !== undefined)
      await confirmFiles(filesIn(archive, inspected, media), media, tx)
    for (const step of deps.steps()) await step(tx, sections)
    const restored = {
      ...result,
      restored: countsOf(inspected),
      lostReferences,
      replacedRoles,
      skippedSettings,
    }
    await restores.commit(restore.id, restored, tx)
    await audit?.record(
      {
        action: 'backup.restore',
        principal: principal === operator ? null : principal,
        resource: `backup:${restore.backupId}`,
        details: {
          sections: Object.keys(sections).filter((name) => sections[name as keyof typeof sections]),
          ...(principal === operator ? { by: 'command line' } : {}),
        },
        ip: restore.ip ?? undefined,
      },
      tx,
    )
    return restored
  })
}

const filesAtOnce = 200

interface StoredRecord {
  readonly id: number
  readonly filename: string
  readonly formats: MediaFormats | null
  readonly untouched: string | null
}

/** Removes all current files, except those that restored records name. */
async function discardFiles(database: Database, media: Media, tx: Transaction): Promise<void> {
  const records = query<StoredRecord>(
    database,
    (value) => sql`select id, filename, formats, untouched from svc_media where id > ${value('after', 'id')}
      order by id limit ${sql.raw(String(filesAtOnce))}`,
    {
      id: { column: 'id', kind: 'id' },
      filename: { column: 'filename', kind: 'string' },
      formats: { column: 'formats', kind: 'json' },
      untouched: { column: 'untouched', kind: 'string' },
    },
  )
  for (let after = 0; ; ) {
    const found = await records.all({ after }, tx)
    const last = found.at(-1)
    if (last === undefined) return
    await media.files.discard(
      found.flatMap(({ formats, ...record }) => media.allKeysOf({ ...record, formats: formats ?? {} })),
      tx,
    )
    after = last.id
    await breathe()
  }
}

async function confirmFiles(files: ReturnType<typeof filesIn>, media: Media, tx: Transaction): Promise<void> {
  let keys: string[] = []
  const confirm = async () => {
    if (keys.length > 0) await media.files.confirm(keys, tx)
    keys = []
  }
  for await (const { key } of files) {
    keys.push(key)
    if (keys.length === filesAtOnce) await confirm()
  }
  await confirm()
}

function changedBy(principal: Principal, { ip }: RestoreRow): ChangedBy {
  return { principal, ...(ip === null ? {} : { ip }) }
}

async function restoreSettings(
  { runtimeConfig }: RestoreDeps,
  { archive, inspected, by }: { archive: ArchiveReader; inspected: InspectedArchive; by: ChangedBy },
  tx: Transaction,
) {
  const table = inspected.verified.manifest.tables.find(({ name }) => name === configTableName)
  if (runtimeConfig === undefined || table === undefined) return []
  const placeOf = (name: string) => table.columns.findIndex((column) => column.name === name)
  const [keyAt, valueAt] = [placeOf('key'), placeOf('value')]
  const values: [string, unknown][] = []
  for await (const line of archivedLines(archive, entryIndex(inspected.verified), table)) {
    const row = parseRow(line, table)
    values.push([String(row[keyAt]), row[valueAt]])
  }
  return (await runtimeConfig.replaceAll(Object.fromEntries(values), by, tx)).skipped
}

function countsOf({ fit }: InspectedArchive) {
  const counts: Record<string, Record<string, number>> = {}
  for (const { target, archived } of fit.tables) {
    counts[target.section] = { ...counts[target.section], [target.label]: archived.rows }
  }
  return counts
}
