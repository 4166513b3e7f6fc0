import type { Media } from '../../delivery/media/media.ts'
import type { StoredEntries, SystemEntries } from '../../entries/content/content.ts'
import type { Database, Transaction } from '../../foundation/database/database.ts'
import { AppError, type Principal } from '../../foundation/http/http.ts'
import { DownloadError } from '../import-export/import-export.ts'
import { deterministicUuid } from './deterministic-uuid.ts'
import type { Migrated, MigratedKind } from './migrated.ts'
import { MigrationError } from './migration-error.ts'
import type { Download, Finding, MigrationSource, SourceFile, SourceFolder } from './source.ts'

export interface MediaBringerDeps {
  readonly database: Database
  readonly media: Media
  readonly storedEntries: StoredEntries
  readonly migrated: Migrated
  readonly principal: Principal
}

/** How many records exist here after a step, and how many of them the step has created. */
export interface Brought {
  readonly here: number
  readonly created: number
}

/** Creates the folders, parents before children. Returns their ids here by their ids in the other system. */
export async function bringFolders(
  source: MigrationSource,
  deps: MediaBringerDeps,
): Promise<Brought & { readonly ids: ReadonlyMap<string, number> }> {
  const { database, storedEntries, migrated } = deps
  const folders = storedEntries.systemEntries('media-folder', [])
  const ids = new Map<string, number>()
  let created = 0
  for (const folder of source.folders()) {
    const uuid = deterministicUuid(source.system, 'folder', folder.id)
    const known = await knownId('folder', uuid, folders, deps)
    if (known !== undefined) ids.set(folder.id, known)
    else
      await database.transaction(async (tx) => {
        const id = await makeFolder(folder, uuid, ids, { folders, tx })
        await migrated.note('folder', uuid, id, tx)
        ids.set(folder.id, id)
        created += 1
      })
  }
  return { here: ids.size, created, ids }
}

/** The id of the record that an earlier run has created, in this environment or in one whose content was transferred here. */
async function knownId(
  kind: MigratedKind,
  uuid: string,
  records: SystemEntries,
  { database, migrated, principal }: MediaBringerDeps,
): Promise<number | undefined> {
  const noted = (await migrated.find([uuid])).get(uuid)
  const ids = noted === undefined ? [] : [noted]
  const [record] = await records.findMany(ids, { principal, fields: ['id'] })
  if (record !== undefined) return record.id
  const { entries } = await records.list({ filters: { uuid }, fields: ['id'], total: false }, principal)
  const id = entries[0]?.id
  if (id !== undefined) await database.transaction((tx) => migrated.note(kind, uuid, id, tx))
  return id
}

async function makeFolder(
  { name, parent }: SourceFolder,
  uuid: string,
  ids: ReadonlyMap<string, number>,
  { folders, tx }: { folders: SystemEntries; tx: Transaction },
): Promise<number> {
  const now = new Date().toISOString()
  const values = { name: [...name].slice(0, 255).join(''), parent: (parent && ids.get(parent)) || null }
  return (await folders.insert(values, { tx, now, uuid })).id
}

export interface FileBringerDeps extends MediaBringerDeps {
  readonly signal: AbortSignal
  readonly isTrial: boolean
  readonly download: Download
}

/** Adds the files that an earlier run has not added. A file that is refused becomes a finding; the others are still added. */
export async function bringFiles(
  source: MigrationSource,
  folders: ReadonlyMap<string, number>,
  deps: FileBringerDeps,
): Promise<Brought & { readonly problems: readonly Finding[] }> {
  const records = deps.storedEntries.systemEntries('media', [])
  const problems: Finding[] = []
  let [here, created] = [0, 0]
  for await (const file of source.files()) {
    deps.signal.throwIfAborted()
    try {
      if (await bringFile(file, folders, records, deps)) created += 1
      here += 1
    } catch (error) {
      const reason = reasonOf(error)
      if (reason === undefined) throw error
      problems.push({ subject: `file ${file.name}`, message: `${reason}: it is left out` })
    }
  }
  return { here, created, problems }
}

/** Returns false if an earlier run has added the file. */
async function bringFile(
  file: SourceFile,
  folders: ReadonlyMap<string, number>,
  records: SystemEntries,
  deps: FileBringerDeps,
): Promise<boolean> {
  if ((await knownId('file', file.uuid, records, deps)) !== undefined) return false
  if (deps.isTrial) await standIn(file, records, deps)
  else await addFile(file, (file.folder && folders.get(file.folder)) || null, deps)
  return true
}

async function addFile(
  file: SourceFile,
  folder: number | null,
  { media, migrated, principal, download }: FileBringerDeps,
): Promise<void> {
  const { uuid, alt, caption } = file
  const path = media.scratch.newPath()
  try {
    await file.write(path, download)
    await media.add({
      ...{ path, originalName: file.name, folder, alt, caption, uuid, principal },
      alongside: ({ id }, tx) => migrated.note('file', uuid, id, tx),
    })
  } finally {
    await media.scratch.remove([path])
  }
}

/** In trials: a record without bytes, so that entries can refer to it. */
async function standIn(
  { uuid, name, mimeType }: SourceFile,
  records: SystemEntries,
  { database, migrated }: FileBringerDeps,
): Promise<void> {
  const originalName = [...name].slice(0, 255).join('')
  const values = { filename: uuid, originalName, mimeType, size: 0, url: `/${uuid}`, formats: {} }
  await database.transaction(async (tx) => {
    const { id } = await records.insert(values, { tx, now: new Date().toISOString(), uuid })
    await migrated.note('file', uuid, id, tx)
  })
}

/** The reason why a file was refused; undefined for errors that are not caused by the file. */
function reasonOf(error: unknown): string | undefined {
  if (error instanceof DownloadError || error instanceof MigrationError) return error.message
  if (!(error instanceof AppError) || error.status >= 500) return undefined
  const { message, details = [] } = error
  return details.length === 0 ? message : details.map((detail) => detail.message).join(', ')
}
