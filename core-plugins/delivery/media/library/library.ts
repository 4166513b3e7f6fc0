import type { PluginContext } from '../../../../kernel/index.ts'
import type { Entry, FoundEntry, StoredEntries, SystemEntries } from '../../../entries/content/content.ts'
import type { Database, Transaction } from '../../../foundation/database/database.ts'
import { AppError, type Principal } from '../../../foundation/http/http.ts'
import type { FileStore } from '../files/file-store.ts'
import type { FormerFiles } from '../files/former-files.ts'
import type { Spool } from '../files/spool.ts'
import { kindOf } from '../identify/file-types.ts'
import { type MediaRecord, mediaDeleted, mediaUploaded } from '../media.ts'
import type { PreparedFile } from '../upload/prepare-file.ts'
import type { ReceivedFile } from '../upload/receive-form.ts'
import type { Replacement } from '../usages/assert-replaceable.ts'
import type { FileUsages } from '../usages/file-usages.ts'
import { keysOf } from './keys.ts'
import type { UpdateRecord } from './record-update.ts'
import type { UntouchedFiles } from './untouched-files.ts'

/** The caller, and the signal that cancels the work. */
export interface Caller {
  readonly principal: Principal
  readonly signal: AbortSignal
}

/** The identities of new records, and additional work for their transaction. */
export interface Alongside {
  /** Only for a single file. */
  readonly uuid?: string | undefined
  alongside?(added: readonly MediaRecord[], tx: Transaction): Promise<void>
}

/** Initial values of new records besides their files; already checked except for the folder. */
export type Beginning = Pick<MediaRecord, 'folder'> & Partial<Pick<MediaRecord, 'alt' | 'caption' | 'tags'>>

/** A change of one record; `ifMatch` is the value of the header. */
export interface RecordChange extends Omit<Caller, 'signal'> {
  readonly id: number
  readonly ifMatch?: string | undefined
}

/** Media records with their files. Callers must check permissions. */
export interface Library {
  /** Adds all files or none. The received files are consumed either way. @throws AppError 400, 415, 503 */
  add(
    files: readonly ReceivedFile[],
    beginning: Beginning,
    caller: Caller & Alongside,
  ): Promise<MediaRecord[]>
  /**
   * Replaces the file of a record. The received file is consumed either way. @throws AppError 404, 412, 415,
   * 503
   */
  replace(change: RecordChange, file: ReceivedFile, signal: AbortSignal): Promise<MediaRecord>
  /**
   * Stores the uploaded file of a record again, so that the public file is without private data. All other values of the
   * record stay. The received file is consumed.
   * @throws AppError 404 if the record has another file by now, 415, 503
   */
  cleanStored(
    file: Pick<MediaRecord, 'id' | 'filename'>,
    received: ReceivedFile,
    caller: Caller,
  ): Promise<void>
  find(id: number, principal: Principal): Promise<FoundEntry>
  /** The records with these ids that exist. */
  readonly findMany: SystemEntries['findMany']
  /** Moves all files or none. @throws AppError 400, 404 */
  move(ids: readonly number[], folder: number | null, principal: Principal): Promise<number[]>
  /** @throws AppError 404, 409, 412 */
  remove(change: RecordChange): Promise<MediaRecord>
  /** Removes all files or none. @throws AppError 404, 409 */
  removeMany(ids: readonly number[], principal: Principal, tx?: Transaction): Promise<number[]>
  /**
   * Checks a file and puts it into the storage for a record that is written later. The received file is consumed either way.
   * @throws AppError 415, 503
   */
  store(file: ReceivedFile, signal: AbortSignal): Promise<PreparedFile>
  /** Replaces the file of a locked record by one that is already stored. @throws AppError 415, 503 */
  replaceStored(before: MediaRecord, prepared: PreparedFile, write: RecordWrite): Promise<MediaRecord>
}

/** Who writes a record, and in which transaction. */
export interface RecordWrite {
  readonly principal: Principal
  readonly tx: Transaction
  readonly now: string
}

/** Fields that only the library writes. A payload may contain them, so that a record can be sent back as it was read. */
export const ownFields = [
  'filename',
  'originalName',
  'mimeType',
  'size',
  'url',
  'width',
  'height',
  'formats',
  'placeholder',
] as const

export interface LibraryDeps {
  readonly database: Database
  readonly entries: SystemEntries
  readonly folders: SystemEntries
  readonly fileStore: FileStore
  readonly formerFiles: FormerFiles
  readonly spool: () => Spool
  readonly usages: FileUsages
  readonly assertReplaceable: (media: Entry, by: Replacement, tx: Transaction) => Promise<void>
  readonly prepare: (
    file: ReceivedFile,
    options: { signal: AbortSignal; remember: (paths: readonly string[]) => void },
  ) => Promise<PreparedFile>
  readonly untouched: UntouchedFiles
  readonly update: UpdateRecord
  readonly emit: PluginContext['emit']
}

/** The focal point is reset with a new picture. */
const ofOtherPicture = { focalX: null, focalY: null } as const

/** Writes the records of stored files and confirms the files in the same transaction. */
type RecordFiles<T> = (prepared: readonly PreparedFile[], tx: Transaction) => Promise<T>

class MediaLibrary implements Library {
  readonly #deps: LibraryDeps

  constructor(deps: LibraryDeps) {
    this.#deps = deps
  }

  add(
    files: readonly ReceivedFile[],
    beginning: Beginning,
    { principal, signal, uuid, alongside }: Caller & Alongside,
  ) {
    const { entries, untouched, emit } = this.#deps
    return this.#withStored(files, signal, async (prepared, tx) => {
      await this.#assertFolder(beginning.folder, tx)
      const now = new Date().toISOString()
      const added: MediaRecord[] = []
      for (const file of prepared) {
        const values = { ...file.values, ...file.words, ...said(beginning) }
        const media = (await entries.insert(values, { tx, now, uuid })) as MediaRecord
        if (file.untouched !== null) await untouched.note(media.id, file, tx)
        tx.afterCommit(() => emit(mediaUploaded, { media, principal }))
        added.push(media)
      }
      await alongside?.(added, tx)
      return added
    })
  }

  replace({ id, principal, ifMatch }: RecordChange, file: ReceivedFile, signal: AbortSignal) {
    return this.#withStored([file], signal, async ([prepared], tx) => {
      const before = (await this.#deps.entries.open(id, { tx, ifMatch })) as MediaRecord
      const write = { principal, tx, now: new Date().toISOString() }
      return this.#replace(before, prepared as PreparedFile, { ...write, values: ofOtherPicture })
    })
  }

  async cleanStored(
    { id, filename }: Pick<MediaRecord, 'id' | 'filename'>,
    received: ReceivedFile,
    { principal, signal }: Caller,
  ) {
    await this.#withStored([received], signal, async ([prepared], tx) => {
      const before = (await this.#deps.entries.open(id, { tx })) as MediaRecord
      if (before.filename !== filename) throw AppError.notFound(`the file ${filename} of media ${id}`)
      const write = { principal, tx, now: new Date().toISOString(), values: {} }
      await this.#replace(before, prepared as PreparedFile, write)
    })
  }

  async replaceStored(before: MediaRecord, prepared: PreparedFile, write: RecordWrite) {
    await this.#deps.fileStore.confirm(
      prepared.files.map(({ key }) => key),
      write.tx,
    )
    return this.#replace(before, prepared, { ...write, values: ofOtherPicture })
  }

  store(file: ReceivedFile, signal: AbortSignal) {
    return this.#withPrepared([file], signal, async ([prepared]) => {
      await this.#put([prepared as PreparedFile])
      return prepared as PreparedFile
    })
  }

  async find(id: number, principal: Principal) {
    const found = await this.#deps.entries.find(id, '', principal)
    if (found === undefined) throw AppError.notFound(`media ${id}`)
    return found
  }

  findMany(...request: Parameters<SystemEntries['findMany']>) {
    return this.#deps.entries.findMany(...request)
  }

  move(ids: readonly number[], folder: number | null, principal: Principal) {
    return this.#deps.database.transaction(async (tx) => {
      await this.#assertFolder(folder, tx)
      const records = await this.#openMany(ids, tx)
      const now = new Date().toISOString()
      for (const before of records) await this.#deps.update(before, { folder }, { principal, tx, now })
      return records.map(({ id }) => id)
    })
  }

  remove({ id, principal, ifMatch }: RecordChange) {
    const { database, entries } = this.#deps
    return database.transaction(async (tx) => {
      const media = (await entries.open(id, { tx, ifMatch })) as MediaRecord
      await this.#removeAll([media], principal, tx)
      return media
    })
  }

  removeMany(ids: readonly number[], principal: Principal, open?: Transaction) {
    const remove = async (tx: Transaction) => {
      const records = await this.#openMany(ids, tx)
      await this.#removeAll(records, principal, tx)
      return records.map(({ id }) => id)
    }
    return open === undefined ? this.#deps.database.transaction(remove) : remove(open)
  }

  async #replace(
    before: MediaRecord,
    prepared: PreparedFile,
    write: RecordWrite & { readonly values: Partial<MediaRecord> },
  ): Promise<MediaRecord> {
    const { fileStore, formerFiles, assertReplaceable, untouched, update } = this.#deps
    const { values } = prepared
    const { principal, tx } = write
    await assertReplaceable(before, { kind: kindOf(String(values.mimeType)), principal }, tx)
    const media = await update(before, { ...values, ...write.values }, write)
    await formerFiles.note(before, tx)
    await fileStore.discard([...keysOf(before), ...(await untouched.keysOf([before.id], tx))], tx)
    await untouched.note(before.id, prepared, tx)
    return media
  }

  /** Checks and stores files, then calls `record` for them; on failure all of them are removed. */
  #withStored<T>(files: readonly ReceivedFile[], signal: AbortSignal, record: RecordFiles<T>): Promise<T> {
    return this.#withPrepared(files, signal, (prepared) => this.#store(prepared, signal, record))
  }

  async #withPrepared<T>(
    files: readonly ReceivedFile[],
    signal: AbortSignal,
    use: (prepared: readonly PreparedFile[]) => Promise<T>,
  ): Promise<T> {
    const { prepare, spool } = this.#deps
    const paths = files.map(({ path }) => path)
    try {
      const remember = (more: readonly string[]) => void paths.push(...more)
      const prepared = await allOf(files.map((file) => prepare(file, { signal, remember })))
      signal.throwIfAborted()
      return await use(prepared)
    } finally {
      await spool().remove(paths)
    }
  }

  /** On failure all of the files are removed. */
  async #put(prepared: readonly PreparedFile[]): Promise<void> {
    const { fileStore } = this.#deps
    const files = prepared.flatMap((each) => each.files)
    try {
      await fileStore.put(files)
    } catch (error) {
      await fileStore.abandon(files.map(({ key }) => key))
      throw error
    }
  }

  async #store<T>(
    prepared: readonly PreparedFile[],
    signal: AbortSignal,
    record: RecordFiles<T>,
  ): Promise<T> {
    const { database, fileStore } = this.#deps
    const files = prepared.flatMap((each) => each.files)
    const keys = files.map(({ key }) => key)
    try {
      await fileStore.put(files)
      signal.throwIfAborted()
      return await database.transaction(async (tx) => {
        await fileStore.confirm(keys, tx)
        return record(prepared, tx)
      })
    } catch (error) {
      await fileStore.abandon(keys)
      throw error
    }
  }

  async #assertFolder(id: number | null, tx: Transaction): Promise<void> {
    if (id === null || (await this.#deps.folders.openMany([id], tx)).length > 0) return
    const message = `there is no folder with id ${id}`
    throw AppError.invalid([{ path: 'folderId', code: 'reference', message }])
  }

  async #openMany(ids: readonly number[], tx: Transaction): Promise<MediaRecord[]> {
    const found = await this.#deps.entries.openMany(ids, tx)
    const foundIds = new Set(found.map(({ id }) => id))
    const missing = [...new Set(ids)].filter((id) => !foundIds.has(id))
    if (missing.length > 0) throw AppError.notFound(`media ${missing.slice(0, 20).join(', ')}`)
    return found as MediaRecord[]
  }

  async #removeAll(records: readonly MediaRecord[], principal: Principal, tx: Transaction): Promise<void> {
    const { entries, fileStore, formerFiles, untouched, usages, emit } = this.#deps
    const ids = records.map(({ id }) => id)
    const kept = await untouched.keysOf(ids, tx)
    await usages.detach(ids, principal, tx)
    for (const record of records) await entries.remove(record, tx)
    await formerFiles.forget(ids, tx)
    await fileStore.discard([...records.flatMap(keysOf), ...kept], tx)
    for (const media of records) tx.afterCommit(() => emit(mediaDeleted, { media, principal }))
  }
}

/** Creates the library over the types `media` and `media-folder`. */
export function createLibrary(deps: LibraryDeps): Library {
  return new MediaLibrary(deps)
}

/** The given descriptions without undefined values. */
function said(beginning: Beginning): Partial<Beginning> {
  return Object.fromEntries(
    Object.entries(beginning).filter(([, value]) => value !== null && value !== undefined),
  )
}

/** Waits for all promises even if one fails, so that nothing is still writing to files that are being removed. */
async function allOf<T>(promises: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(promises)
  return Promise.all(promises)
}

/** For the parts of the library that only need the access to entries of system types. */
export function systemEntries(storedEntries: StoredEntries) {
  return {
    entries: storedEntries.systemEntries('media', ownFields),
    folders: storedEntries.systemEntries('media-folder', []),
  }
}
