import type { StoredEntries, SystemEntries } from '../content/content.ts'
import type { Database } from '../database/database.ts'
import { AppError, type Principal } from '../http/http.ts'
import type { Media } from '../media/media.ts'
import { deterministicUuid } from './deterministic-uuid.ts'
import type { Migrated } from './migrated.ts'
import type { Finding, MigrationSource, SourceFile, SourceFolder } from './source.ts'

export interface MediaBringerDeps {
  readonly database: Database
  readonly media: Media
  readonly storedEntries: StoredEntries
  readonly migrated: Migrated
  readonly principal: Principal
}

/** How many of a kind are here now, and how many of them are new. */
export interface Brought {
  readonly here: number
  readonly created: number
}

/** Brings in folders, those that hold others first. Returns their ids by that of the other system. */
export async function bringFolders(
  source: MigrationSource,
  { database, storedEntries, migrated }: MediaBringerDeps,
): Promise<Brought & { readonly ids: ReadonlyMap<string, number> }> {
  const folders = storedEntries.systemEntries('media-folder', [])
  const ids = new Map<string, number>()
  let created = 0
  for (const folder of source.folders()) {
    const uuid = deterministicUuid(source.system, 'folder', folder.id)
    await database.transaction(async (tx) => {
      const known = (await migrated.find([uuid], tx)).get(uuid)
      const isHere = known !== undefined && (await folders.openMany([known], tx)).length > 0
      const id = isHere ? known : await makeFolder(folder, ids, { folders, tx })
      if (!isHere) await migrated.note('folder', uuid, id, tx)
      created += isHere ? 0 : 1
      ids.set(folder.id, id)
    })
  }
  return { here: ids.size, created, ids }
}

async function makeFolder(
  { name, parent }: SourceFolder,
  ids: ReadonlyMap<string, number>,
  { folders, tx }: { folders: SystemEntries; tx: Parameters<SystemEntries['openMany']>[1] },
): Promise<number> {
  const now = new Date().toISOString()
  const values = { name: [...name].slice(0, 255).join(''), parent: (parent && ids.get(parent)) || null }
  return (await folders.insert(values, { tx, now })).id
}

/** Brings in the files that are not here yet. What is refused is told, and the others are brought in. */
export async function bringFiles(
  source: MigrationSource,
  folders: ReadonlyMap<string, number>,
  deps: MediaBringerDeps & { readonly signal: AbortSignal },
): Promise<Brought & { readonly problems: readonly Finding[] }> {
  const problems: Finding[] = []
  let [here, created] = [0, 0]
  for await (const file of source.files()) {
    deps.signal.throwIfAborted()
    try {
      if (await bringFile(file, folders, deps)) created += 1
      here += 1
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error
      problems.push({ subject: `file ${file.name}`, message: `${messageOf(error)}: it is left out` })
    }
  }
  return { here, created, problems }
}

/** False for a file that is here already. */
async function bringFile(
  file: SourceFile,
  folders: ReadonlyMap<string, number>,
  { media, migrated, principal }: MediaBringerDeps,
): Promise<boolean> {
  const known = (await migrated.find([file.uuid])).get(file.uuid)
  if (known !== undefined && (await media.findMany([known], { principal, fields: ['id'] })).length > 0)
    return false
  const path = media.scratch.newPath()
  try {
    await file.write(path)
    await media.add({
      path,
      originalName: file.name,
      folder: (file.folder && folders.get(file.folder)) || null,
      alt: file.alt,
      caption: file.caption,
      principal,
      alongside: ({ id }, tx) => migrated.note('file', file.uuid, id, tx),
    })
    return true
  } finally {
    await media.scratch.remove([path])
  }
}

function messageOf({ message, details = [] }: AppError): string {
  return details.length === 0 ? message : details.map((detail) => detail.message).join(', ')
}
