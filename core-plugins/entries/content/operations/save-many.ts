import { setImmediate as otherWork } from 'node:timers/promises'
import type { Transaction } from '../../../foundation/database/database.ts'
import { AppError } from '../../../foundation/http/http.ts'
import { type BatchPlace, createBatch } from '../write/batch.ts'
import { keysOf, type Match, matchOf, type RowKeys } from '../write/match.ts'
import type { EntryToSave, SavedEntry, SaveOptions } from '../write/saving/entry-to-save.ts'
import { publishRows } from '../write/saving/publish-rows.ts'
import { putBackDrafts } from '../write/saving/put-back-drafts.ts'
import { publishedRow, type SavedRow, saveRow } from '../write/saving/save-row.ts'
import { formsOf, maySee, withTheirDrafts } from '../write/stored-entries.ts'
import type { WritableType, WriteDeps } from '../write/write-deps.ts'
import { NotReached, RefusedTogether, type RowFailure, RowsRefused } from '../write/write-errors.ts'
import { inTransaction } from '../write/write-path.ts'
import { entriesAtOnce } from '../write/write-together.ts'
import type { StoredEntry } from '../write-context.ts'
import type { WriteRequest } from '../write-request.ts'
import { creatingAction } from './check.ts'
import { defineOperation } from './operation.ts'
import { assertPublishable } from './publish.ts'

/** One call of `saveEntries`. */
interface Saving {
  readonly deps: WriteDeps
  readonly type: WritableType
  readonly request: WriteRequest
  readonly entries: readonly EntryToSave[]
  readonly match: Match | undefined
  readonly keys: RowKeys
}

/** See `BulkWrites.saveMany`. The plugin for imports offers it over REST and GraphQL. */
export const saveMany = defineOperation({
  service: 'bulkWrites',
  right: 'create',
  rightsFor: (type, entries: readonly EntryToSave[], { match }: SaveOptions = {}) => [
    creatingAction(type),
    ...(match !== undefined || entries.some(({ id }) => id !== undefined) ? (['update'] as const) : []),
    ...(entries.some(({ published }) => published !== undefined) ? (['publish'] as const) : []),
  ],
  run: saveEntries,
})

async function saveEntries(
  deps: WriteDeps,
  request: WriteRequest,
  entries: readonly EntryToSave[],
  options: SaveOptions = {},
): Promise<readonly SavedEntry[]> {
  const type = deps.typeNamed(request.type)
  if (entries.some(({ published }) => published !== undefined)) assertPublishable(type)
  const match = options.match === undefined ? undefined : matchOf(deps, type, options.match)
  const saving = { deps, type, request, entries, match, keys: keysOf(type, match, entries) }
  const save = (atOnce: number) =>
    inTransaction(
      deps,
      request,
      async (tx) => {
        const saved = await saveAll(saving, atOnce, tx)
        await options.alongside?.(tx, saved)
        if (options.isTrial === true) tx.beforeCommit(() => undo(saved, tx))
        return saved
      },
      {},
    )
  try {
    return await oneByOneIfRefused(save, request, type.model.type.kind === 'singleType' ? 1 : entriesAtOnce)
  } catch (error) {
    if (error instanceof Undone) return error.saved
    throw await explainRows(deps, request, error)
  }
}

/** Rolls back the transaction of a trial run in which every entry was accepted. */
class Undone extends Error {
  readonly saved: readonly SavedEntry[]

  constructor(saved: readonly SavedEntry[]) {
    super('the trial is over')
    this.saved = saved
  }
}

/** @throws Undone, unless the database refuses statements that are still queued */
async function undo(saved: readonly SavedEntry[], tx: Transaction): Promise<never> {
  await tx.flush()
  throw new Undone(saved)
}

/** Repeats a group that the database refused one entry at a time, to find out which entries are at fault. */
async function oneByOneIfRefused<T>(
  save: (atOnce: number) => Promise<T>,
  { tx }: WriteRequest,
  atOnce: number,
): Promise<T> {
  try {
    return await save(atOnce)
  } catch (error) {
    if (!(error instanceof RefusedTogether) || tx !== undefined) throw error
    return save(1)
  }
}

/** Completes the error messages with lookups that the failed transaction could not make. */
async function explainRows(deps: WriteDeps, request: WriteRequest, error: unknown): Promise<unknown> {
  if (!(error instanceof RowsRefused) || request.tx !== undefined) return error
  const rows: RowFailure[] = []
  for (const row of error.rows) {
    const explained = await deps.explainRefusal(row.error, request.principal)
    rows.push({ index: row.index, error: explained instanceof AppError ? explained : row.error })
  }
  return new RowsRefused(rows)
}

/** @throws RowsRefused with the problems of all entries; RefusedTogether */
async function saveAll(saving: Saving, atOnce: number, tx: Transaction): Promise<readonly SavedEntry[]> {
  const { entries, keys } = saving
  const failures = [...keys.failures]
  const failed = new Set(failures.map(({ index }) => index))
  const saved: SavedEntry[] = []
  for (let start = 0; start < entries.length; start += atOnce) {
    const rows = indexesFrom(start, Math.min(start + atOnce, entries.length)).filter(
      (each) => !failed.has(each),
    )
    const isTrial = failures.length > 0
    try {
      saved.push(...(await saveGroup(saving, rows, { tx, isTrial, failures })))
    } catch (error) {
      // An earlier refusal has already made the transaction unusable.
      if (isTrial) break
      throw error
    }
    // Lets other requests run between groups.
    if (start + atOnce < entries.length) await otherWork()
  }
  if (failures.length > 0) throw new RowsRefused(failures)
  return saved
}

const indexesFrom = (start: number, end: number) =>
  Array.from({ length: end - start }, (_, index) => start + index)

interface GroupOptions {
  readonly tx: Transaction
  /** True: everything is checked and nothing is stored. */
  readonly isTrial: boolean
  /** Collects the errors of entries. */
  readonly failures: RowFailure[]
}

/** Saves the entries with the given indexes together. @throws RefusedTogether, or any error that concerns no particular entry */
async function saveGroup(
  saving: Saving,
  rows: readonly number[],
  options: GroupOptions,
): Promise<SavedEntry[]> {
  const { deps, type, request } = saving
  const { tx, isTrial, failures } = options
  const entryAt = (index: number) => saving.entries[index] as EntryToSave
  const storedAt = await findStored(saving, rows, options)
  if (failures.length > 0 && !isTrial) return []
  const now = new Date().toISOString()
  const batch = createBatch(rows.length, { type, tx, isTrial })
  const together = rows.flatMap((index) => {
    const stored = storedAt(index)
    return stored === undefined ? [] : formsOf(type, stored)
  })
  const results = await Promise.allSettled(
    rows.map(async (index, position) => {
      const place = batch[position] as BatchPlace
      try {
        return await saveRow({ deps, type, request }, entryAt(index), {
          place,
          tx,
          now,
          stored: storedAt(index),
          together,
        })
      } finally {
        place.leave()
      }
    }),
  )
  failures.push(...rowFailures(results, rows))
  if (failures.length > 0) return []
  const saved = results.map((result) => (result as PromiseFulfilledResult<SavedRow>).value)
  if (rows.length === 1) await storeLinks(rows[0] ?? 0, { tx, failures })
  const published = rows.flatMap((index, position) =>
    publishedRow(request, { index, entry: entryAt(index), saved: saved[position] }),
  )
  if (failures.length > 0) return []
  const write = { ...request, tx, now }
  const changed = await publishRows({ deps, type, write, failures }, published)
  if (failures.length > 0) return []
  await putBackDrafts({ deps, type, write }, saved)
  return saved.map(({ id, outcome }) => ({
    id,
    outcome: outcome === 'unchanged' && changed.has(id) ? 'updated' : outcome,
  }))
}

/** Locks the entries that the payloads change. The result returns the stored entry for the payload with an index. */
async function findStored(
  { deps, type, match, keys, request, entries }: Saving,
  rows: readonly number[],
  { tx, failures }: GroupOptions,
): Promise<(index: number) => StoredEntry | undefined> {
  const found = (await match?.find(keys.of(rows), request.principal, tx)) ?? new Map<string, StoredEntry>()
  const idOf = await knownIds({ deps, type, entries }, rows, tx)
  if (idOf.size === 0) return (index) => found.get(keys.at(index) ?? '')
  const loaded = await type.store.loadMany([...new Set(idOf.values())], tx)
  const visible = loaded.filter((row) => maySee(deps, type, row, request.principal))
  const byId = new Map((await withTheirDrafts(type, visible, tx)).map((each) => [each.row.id, each]))
  for (const [index, id] of idOf) {
    if (!byId.has(id)) failures.push({ index, error: AppError.notFound(`${type.model.type.name} ${id}`) })
  }
  return (index) => byId.get(idOf.get(index) ?? 0) ?? found.get(keys.at(index) ?? '')
}

/** The ids of existing entries by payload index: ids that payloads name, or the id of a single type's entry. */
async function knownIds(
  { deps, type, entries }: Pick<Saving, 'deps' | 'type' | 'entries'>,
  rows: readonly number[],
  tx: Transaction,
): Promise<ReadonlyMap<number, number>> {
  const ids = new Map<number, number>()
  for (const index of rows) {
    const { id, data } = entries[index] ?? {}
    const isSingle = type.model.type.kind === 'singleType'
    const known = isSingle ? (await deps.singles.ofWrite(type.model, { data }, tx)).id : id
    if (known !== undefined) ids.set(index, known)
  }
  return ids
}

/** Links of a new entry are stored with the next statement; this sends them now, so that errors are reported for that entry. */
async function storeLinks(index: number, { tx, failures }: Omit<GroupOptions, 'isTrial'>): Promise<void> {
  try {
    await tx.flush()
  } catch (error) {
    if (!isRefusal(error)) throw error
    failures.push({ index, error: error as AppError })
  }
}

/** @throws RefusedTogether, or any error that concerns no particular entry */
function rowFailures(
  results: readonly PromiseSettledResult<unknown>[],
  rows: readonly number[],
): readonly RowFailure[] {
  const rejected = results.flatMap((result, position) =>
    result.status === 'rejected' ? [{ index: rows[position] ?? 0, error: result.reason as unknown }] : [],
  )
  const together = rejected.find(({ error }) => error instanceof RefusedTogether)
  if (together !== undefined) throw together.error
  const failures = rejected.filter((row): row is RowFailure => isRefusal(row.error))
  const unforeseen = rejected.find(({ error }) => !isRefusal(error) && !(error instanceof NotReached))
  if (failures.length === 0 && unforeseen !== undefined) throw unforeseen.error
  return failures
}

const isRefusal = (error: unknown) => error instanceof AppError && error.status < 500
