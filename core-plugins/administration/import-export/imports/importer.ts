import { setImmediate as otherWork } from 'node:timers/promises'
import type { Auth } from '../../../accounts/auth/auth.ts'
import type { Localizations } from '../../../editing/i18n/i18n.ts'
import type { BulkWrites, EntryToSave, Guarded, SavedEntry } from '../../../entries/content/content.ts'
import type { Database, Transaction, UniqueWaits } from '../../../foundation/database/database.ts'
import type { Principal } from '../../../foundation/http/http.ts'
import type { ContentType } from '../../../foundation/schemas/schemas.ts'
import type { ImportReport, ImportRequest } from '../import-export.ts'
import { type Batch, batchesOf } from './batches.ts'
import { countsOf } from './import-report.ts'
import type { ImportStore, StoredImport } from './import-store.ts'
import { openType } from './open-type.ts'
import { type PrepareDeps, prepareRows, type Row, type SourceRow } from './prepare-rows.ts'
import { afterRows, failuresOf, isReady, isWaiting, problemOf, refused } from './rows.ts'
import { settleWaiting } from './settle.ts'
import { Trial } from './trial.ts'

export interface ImporterDeps extends PrepareDeps {
  readonly auth: Auth
  readonly bulkWrites: Guarded<BulkWrites>
  readonly database: Database
  readonly localizations: Localizations | undefined
  readonly store: ImportStore
  readonly uniqueWaits: UniqueWaits
}

/** The most records that may wait for later ones, whose keys are kept in memory. */
const maxWaiting = 200_000

/** One import with its progress. */
export class Importer {
  readonly #deps: ImporterDeps
  readonly #request: ImportRequest
  readonly #trial: Trial | undefined
  #import: StoredImport
  #principal: Principal
  #waitingCount = 0

  constructor(deps: ImporterDeps, request: ImportRequest, stored: StoredImport) {
    this.#deps = deps
    this.#request = request
    this.#import = stored
    this.#principal = request.principal
    this.#trial = request.isTrial === true ? new Trial() : undefined
  }

  async run(): Promise<ImportReport> {
    const { records, type, onProgress } = this.#request
    const { store } = this.#deps
    const { id, report } = this.#import
    // Refuses before anything is read.
    if (type !== undefined) this.#typeNamed(type)
    if (this.#trial === undefined) this.#waitingCount = await store.waiting.count(id)
    for await (const batch of batchesOf(records, { type, from: report.records })) {
      await this.#take(batch)
      onProgress?.(countsOf(this.#import.report))
      await otherWork()
    }
    if (this.#trial !== undefined) return this.#trial.settled(this.#import.report)
    const { waiting } = store
    await settleWaiting({
      ...{ importId: id, waiting, open: (name) => this.#open(name) },
      prepare: (of, rows) => this.#prepare(of, rows),
      commit: (of, rows) => this.#commit(of, rows),
    })
    return this.#import.report
  }

  #typeNamed(name: string): ContentType {
    const { publish = false } = this.#request
    return openType(this.#deps, { name, principal: this.#principal, match: this.#matchOf(name), publish })
  }

  #matchOf(type: string): string | undefined {
    const { match } = this.#request
    if (match === undefined || typeof match === 'string') return match
    return Object.hasOwn(match, type) ? match[type] : undefined
  }

  async #open(name: string): Promise<ContentType> {
    const { signal, renewPrincipal } = this.#request
    signal?.throwIfAborted()
    this.#principal = (await renewPrincipal?.()) ?? this.#principal
    return this.#typeNamed(name)
  }

  #prepare(type: ContentType, rows: readonly SourceRow[]): Promise<Row[]> {
    const { publish = false, state = 'keep', mediaFolder, signal } = this.#request
    const maySetState = this.#deps.auth.mayContent(this.#principal, type.name, 'publish')
    return prepareRows(this.#deps, rows, {
      ...{
        type,
        publish,
        mediaFolder,
        signal,
        maySetState,
        isMatchedByUuid: this.#matchOf(type.name) === 'uuid',
      },
      ...{ keepsState: state === 'keep', principal: this.#principal, isTrial: this.#trial !== undefined },
    })
  }

  async #take({ type: name, rows }: Batch): Promise<void> {
    const type = await this.#open(name)
    const prepared = await this.#prepare(type, rows)
    await this.#commit(type, this.#trial?.take(prepared) ?? this.#boundWaiting(prepared))
  }

  /** Refuses waiting records once too many wait. */
  #boundWaiting(rows: readonly Row[]): readonly Row[] {
    return rows.map((row) => {
      if (!isWaiting(row)) return row
      this.#waitingCount += 1
      return this.#waitingCount > maxWaiting ? refused(row, row.missing.map(problemOf)) : row
    })
  }

  /** Saves rows of one type in a transaction, without those that are refused. */
  async #commit(type: ContentType, rows: readonly Row[], tries = 0): Promise<void> {
    if (rows.length === 0) return
    try {
      await this.#save(type, rows)
    } catch (error) {
      const failures = failuresOf(error, rows)
      if (failures === undefined) throw error
      const left = rows.map((row) => refused(row, failures.get(row) ?? []))
      // Checks report the problems of all records at once, but the database reports one at a time.
      if (tries === 0 || rows.length === 1) return this.#commit(type, left, tries + 1)
      const half = Math.ceil(rows.length / 2)
      await this.#commit(type, left.slice(0, half))
      await this.#commit(type, left.slice(half))
    }
  }

  async #save(type: ContentType, rows: readonly Row[]): Promise<void> {
    const { bulkWrites, database } = this.#deps
    const ready = rows.filter(isReady)
    let next = this.#import
    let done: readonly SavedEntry[] = []
    const alongside = async (tx: Transaction, saved: readonly SavedEntry[]) => {
      done = saved
      next = await this.#note(rows, saved, tx)
    }
    if (ready.length > 0) {
      const entries = await this.#entriesOf(type, ready)
      const match = type.kind === 'singleType' ? undefined : this.#matchOf(type.name)
      const isTrial = this.#trial !== undefined
      await bulkWrites.saveMany(this.#writeTo(type), entries, { match, isTrial, alongside })
    } else if (this.#trial === undefined) await database.transaction((tx) => alongside(tx, []))
    else next = { ...next, report: afterRows(next.report, rows, []) }
    this.#import = next
    this.#trial?.note(rows, done)
  }

  #writeTo({ name: type }: ContentType) {
    return { type, principal: this.#principal, ip: this.#request.ip }
  }

  /** Makes entries to save, with the entries that they are versions of. */
  async #entriesOf(type: ContentType, ready: readonly Row[]): Promise<readonly EntryToSave[]> {
    const ids = [...new Set(ready.flatMap(({ versionOf }) => versionOf ?? []))]
    const { localizations, database } = this.#deps
    if (ids.length === 0 || localizations === undefined) return ready.map(({ entry }) => entry)
    const joining = await database.transaction((tx) =>
      localizations.joiningMany({ ...this.#writeTo(type), tx }, ids),
    )
    return ready.map(({ entry, versionOf = 0 }) => ({ ...entry, annotations: joining.get(versionOf) }))
  }

  /** Stores the progress of the import in the transaction of its entries. */
  async #note(rows: readonly Row[], saved: readonly SavedEntry[], tx: Transaction): Promise<StoredImport> {
    const before = this.#import
    const report = afterRows(before.report, rows, saved)
    if (this.#trial !== undefined) return { ...before, report }
    const { store } = this.#deps
    const waiting = rows.filter(isWaiting)
    const settled = rows.filter(
      (row) => !isWaiting(row) && (row.isPartial !== true || row.details.length > 0),
    )
    await store.waiting.add(before.id, waiting.map(waitingRow), tx)
    await store.waiting.remove(
      settled.flatMap(({ waitingId }) => waitingId ?? []),
      tx,
    )
    for (const [index, { isPartial, waitingId }] of rows.filter(isReady).entries()) {
      const entryId = saved[index]?.id
      if (isPartial !== true || waitingId === undefined || entryId === undefined) continue
      await store.waiting.setEntry(waitingId, entryId, tx)
    }
    await store.advance(before, report, tx)
    return { ...before, report, step: before.step + 1 }
  }
}

const waitingRow = ({ type, line, data }: Row) => ({ type, line, data: JSON.stringify(data) })
