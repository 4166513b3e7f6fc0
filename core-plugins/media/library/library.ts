import type { PluginContext } from '../../../kernel/index.ts'
import type { Content, Entry, FoundEntry, SystemEntries } from '../../content/content.ts'
import type { Database, Transaction } from '../../database/database.ts'
import { AppError, type Principal } from '../../http/http.ts'
import type { FileKeeper } from '../files/file-keeper.ts'
import type { Spool } from '../files/spool.ts'
import { kindOf } from '../identify/file-types.ts'
import { type MediaRecord, mediaDeleted, mediaUpdated, mediaUploaded } from '../media.ts'
import type { PreparedFile } from '../upload/prepare-file.ts'
import type { ReceivedFile } from '../upload/receive-form.ts'
import type { UsageIndex } from '../usages/usage-index.ts'
import { keysOf } from './keys.ts'

/** Who asks, and what ends the work. */
export interface Caller {
  readonly principal: Principal
  readonly signal: AbortSignal
}

/** One change of one record; `ifMatch` is the header. */
export interface RecordChange extends Omit<Caller, 'signal'> {
  readonly id: number
  readonly ifMatch?: string | undefined
}

/** Media records with their files. Whoever asks has the permission. */
export interface Library {
  /** All of them or none. The received files are used up either way. @throws AppError 400, 415, 503 */
  add(files: readonly ReceivedFile[], folder: number | null, caller: Caller): Promise<MediaRecord[]>
  /** Gives a record another file. The received file is used up either way. @throws AppError 404, 412, 415, 503 */
  replace(change: RecordChange, file: ReceivedFile, signal: AbortSignal): Promise<MediaRecord>
  find(id: number, principal: Principal): Promise<FoundEntry>
  /** @throws AppError 400, 404, 412 */
  change(change: RecordChange, payload: unknown): Promise<MediaRecord>
  /** All of them or none. @throws AppError 400, 404 */
  move(ids: readonly number[], folder: number | null, principal: Principal): Promise<number[]>
  /** @throws AppError 404, 409, 412 */
  remove(change: RecordChange): Promise<MediaRecord>
  /** All of them or none. @throws AppError 404, 409 */
  removeMany(ids: readonly number[], principal: Principal): Promise<number[]>
}

/** Written by the library only; a payload may hold them, as what was read can be sent back. */
export const ownFields = [
  'filename',
  'originalName',
  'mimeType',
  'size',
  'url',
  'width',
  'height',
  'formats',
] as const

export interface LibraryScope {
  readonly database: Database
  readonly entries: SystemEntries
  readonly folders: SystemEntries
  readonly keeper: FileKeeper
  readonly spool: () => Spool
  readonly usages: UsageIndex
  readonly judgeReplacement: (media: Entry, kind: string, tx: Transaction) => Promise<void>
  readonly prepare: (
    file: ReceivedFile,
    options: { signal: AbortSignal; remember: (paths: readonly string[]) => void },
  ) => Promise<PreparedFile>
  readonly emit: PluginContext['emit']
}

export function createLibrary(scope: LibraryScope): Library {
  const { database, entries, folders, keeper, usages, emit } = scope

  /** Judges and stores files, then has `record` note them; if anything fails nothing of them is left. */
  async function withStored<T>(
    files: readonly ReceivedFile[],
    signal: AbortSignal,
    record: (prepared: readonly PreparedFile[], tx: Transaction) => Promise<T>,
  ): Promise<T> {
    const paths = files.map(({ path }) => path)
    try {
      const remember = (more: readonly string[]) => void paths.push(...more)
      const prepared = await allOf(files.map((file) => scope.prepare(file, { signal, remember })))
      signal.throwIfAborted()
      return await storing(prepared, signal, record)
    } finally {
      await scope.spool().remove(paths)
    }
  }

  async function storing<T>(
    prepared: readonly PreparedFile[],
    signal: AbortSignal,
    record: (prepared: readonly PreparedFile[], tx: Transaction) => Promise<T>,
  ): Promise<T> {
    const files = prepared.flatMap((each) => each.files)
    const keys = files.map(({ key }) => key)
    try {
      await keeper.keep(files)
      signal.throwIfAborted()
      return await database.transaction(async (tx) => {
        await keeper.confirm(keys, tx)
        return record(prepared, tx)
      })
    } catch (error) {
      await keeper.abandon(keys)
      throw error
    }
  }

  async function expectFolder(id: number | null, path: string, tx: Transaction): Promise<void> {
    if (id === null || (await folders.openMany([id], tx)).length > 0) return
    const message = `there is no folder with id ${id}`
    throw AppError.invalid([{ path, code: 'reference', message }])
  }

  async function openMany(ids: readonly number[], tx: Transaction): Promise<MediaRecord[]> {
    const found = await entries.openMany(ids, tx)
    const foundIds = new Set(found.map(({ id }) => id))
    const missing = [...new Set(ids)].filter((id) => !foundIds.has(id))
    if (missing.length > 0) throw AppError.notFound(`media ${missing.slice(0, 20).join(', ')}`)
    return found as MediaRecord[]
  }

  function tellUpdate(previous: MediaRecord, media: MediaRecord, principal: Principal, tx: Transaction) {
    tx.afterCommit(() => emit(mediaUpdated, { media, previous, principal }))
  }

  async function removeAll(
    records: readonly MediaRecord[],
    principal: Principal,
    tx: Transaction,
  ): Promise<void> {
    const ids = records.map(({ id }) => id)
    await usages.detach(ids, principal, tx)
    for (const id of ids) await entries.remove(id, tx)
    await keeper.discard(records.flatMap(keysOf), tx)
    for (const media of records) tx.afterCommit(() => emit(mediaDeleted, { media, principal }))
  }

  return {
    add: (files, folder, { principal, signal }) =>
      withStored(files, signal, async (prepared, tx) => {
        await expectFolder(folder, 'folderId', tx)
        const now = new Date().toISOString()
        const added: MediaRecord[] = []
        for (const { values } of prepared) {
          const media = (await entries.insert({ ...values, folder }, { tx, now })) as MediaRecord
          tx.afterCommit(() => emit(mediaUploaded, { media, principal }))
          added.push(media)
        }
        return added
      }),
    replace: ({ id, principal, ifMatch }, file, signal) =>
      withStored([file], signal, async ([prepared], tx) => {
        const values = prepared?.values ?? {}
        const before = (await entries.open(id, { tx, ifMatch })) as MediaRecord
        await scope.judgeReplacement(before, kindOf(String(values.mimeType)), tx)
        const now = new Date().toISOString()
        const media = (await entries.update(before, values, { tx, now })) as MediaRecord
        await keeper.discard(keysOf(before), tx)
        tellUpdate(before, media, principal, tx)
        return media
      }),
    async find(id, principal) {
      const found = await entries.find(id, '', principal)
      if (found === undefined) throw AppError.notFound(`media ${id}`)
      return found
    },
    change: ({ id, principal, ifMatch }, payload) =>
      database.transaction(async (tx) => {
        const now = new Date().toISOString()
        const before = (await entries.open(id, { tx, ifMatch })) as MediaRecord
        const values = await entries.check(payload, { before, principal, tx, now })
        if (Object.keys(values).length === 0) return before
        const media = (await entries.update(before, values, { tx, now })) as MediaRecord
        tellUpdate(before, media, principal, tx)
        return media
      }),
    move: (ids, folder, principal) =>
      database.transaction(async (tx) => {
        await expectFolder(folder, 'folderId', tx)
        const now = new Date().toISOString()
        const records = await openMany(ids, tx)
        for (const before of records) {
          const media = (await entries.update(before, { folder }, { tx, now })) as MediaRecord
          tellUpdate(before, media, principal, tx)
        }
        return records.map(({ id }) => id)
      }),
    remove: ({ id, principal, ifMatch }) =>
      database.transaction(async (tx) => {
        const media = (await entries.open(id, { tx, ifMatch })) as MediaRecord
        await removeAll([media], principal, tx)
        return media
      }),
    removeMany: (ids, principal) =>
      database.transaction(async (tx) => {
        const records = await openMany(ids, tx)
        await removeAll(records, principal, tx)
        return records.map(({ id }) => id)
      }),
  }
}

/** Waits for all of them also when one fails, so that nobody writes to files that are being removed. */
async function allOf<T>(promises: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(promises)
  return Promise.all(promises)
}

/** For the parts of the library that only need to know whose entries these are. */
export function systemEntries(content: Content) {
  return {
    entries: content.systemEntries('media', ownFields),
    folders: content.systemEntries('media-folder', []),
  }
}
