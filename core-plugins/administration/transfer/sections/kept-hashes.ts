import { sql } from 'drizzle-orm'
import type { Log } from '../../../../kernel/index.ts'
import type { Change, ChangeLog } from '../../../entries/changes/changes.ts'
import type { Database, Transaction } from '../../../foundation/database/database.ts'
import { keptHashesStateTable, keptHashesTable } from '../tables.ts'

/** The hash of an entry at a position of the change log. */
export interface KeptHash {
  readonly entryId: number
  readonly hash: string
  /** The entry's `updated_at`, as a check on the log; null for types without timestamps. */
  readonly updatedAt: string | null
}

/** A type whose hashes are kept. */
export interface KeptType {
  readonly name: string
  /** Identifies what hashes are computed from: the schema and the version of Mortise. Hashes with another form are not used. */
  readonly form: string
}

/**
 * The hashes of entries, so that a comparison reads only the entries that have changed since the last one. Writes do not maintain
 * them: the change log shows which hashes are outdated, and these are removed before any is used.
 */
export interface KeptHashes {
  /** Removes outdated hashes. The remaining ones were valid when this was called. */
  catchUp(): Promise<KeptAt>
}

/** The hashes that were valid at a position of the log. */
export interface KeptAt {
  find(type: KeptType, ids: readonly number[]): Promise<ReadonlyMap<number, KeptHash>>
  /**
   * Keeps hashes computed from entries read since then, unless another process has caught up with later changes
   * meanwhile, because the hashes may or may not contain those.
   */
  keep(type: KeptType, hashes: readonly KeptHash[]): Promise<void>
}

export interface KeptHashesDeps {
  readonly database: Database
  readonly changeLog: Pick<ChangeLog, 'after' | 'head'>
  /**
   * By type, the types whose entries may refer to it, so that they appear changed when an entry of it is deleted or restored from the
   * trash.
   */
  readonly dependents: ReadonlyMap<string, ReadonlySet<string>>
  readonly log: Log
}

const stateName = 'kept'
const changesAtOnce = 1_000
/** With more changes, reading all entries again costs less than reading the log. */
const maxChanges = 50_000

export function createKeptHashes(deps: KeptHashesDeps): KeptHashes {
  const { database, changeLog, log } = deps
  const queries = keptQueries(database)

  async function catchUp(): Promise<KeptAt> {
    for (;;) {
      const state = await queries.state.get({ name: stateName })
      // Read first, because later commits get higher positions.
      const head = await changeLog.head()
      const known = state === undefined ? undefined : Number(state.position)
      if (known === head) return keptAt(head)
      const changed = await changedBetween(known, head)
      if (await database.transaction((tx) => move({ known, head, changed }, tx))) return keptAt(head)
    }
  }

  /** Returns undefined if any entry may have changed. */
  async function changedBetween(known: number | undefined, head: number): Promise<Concerned | undefined> {
    // A lower position means that the log belongs to another database.
    if (known === undefined || known > head || head - known > maxChanges) return undefined
    const concerned: Concerned = { ids: new Map(), whole: new Set() }
    for (let position = known; position < head; ) {
      const page = await changeLog.after(position, changesAtOnce)
      if (page === undefined) return undefined
      for (const change of page.changes) note(concerned, change, deps.dependents)
      if (!page.hasMore) break
      position = page.position
    }
    return concerned
  }

  /** Returns false if another process has moved the position meanwhile. */
  async function move({ known, head, changed }: Move, tx: Transaction): Promise<boolean> {
    if (known === undefined) await queries.begin.run({ name: stateName, position: -1 }, tx)
    const state = await queries.lock.get({ name: stateName }, tx)
    if (Number(state?.position) !== (known ?? -1)) return false
    if (changed === undefined) await queries.removeAll.run({}, tx)
    else await forgetThose(changed, tx)
    await queries.move.run({ name: stateName, position: head }, tx)
    return true
  }

  async function forgetThose({ ids, whole }: Concerned, tx: Transaction): Promise<void> {
    for (const type of whole) await queries.removeType.run({ type }, tx)
    for (const [type, entryIds] of ids) {
      if (whole.has(type)) continue
      const all = [...entryIds]
      for (let start = 0; start < all.length; start += changesAtOnce) {
        await queries.remove.run({ type, entryIds: all.slice(start, start + changesAtOnce) }, tx)
      }
    }
  }

  function keptAt(position: number): KeptAt {
    return {
      async find({ name, form }, entryIds) {
        const found = entryIds.length === 0 ? [] : await queries.find.all({ type: name, form, entryIds })
        return new Map(found.map((row) => [row.entryId, row]))
      },
      async keep({ name: type, form }, hashes) {
        if (hashes.length === 0) return
        try {
          await database.transaction(async (tx) => {
            const state = await queries.lock.get({ name: stateName }, tx)
            if (Number(state?.position) !== position) return
            const entryIds = hashes.map(({ entryId }) => entryId)
            await queries.remove.run({ type, entryIds }, tx)
            await queries.insert(
              hashes.map((hash) => ({ type, form, ...hash })),
              tx,
            )
          })
        } catch (error) {
          // Hashes that cannot be kept are computed again next time.
          log.warn(
            { err: error },
            'hashes of entries could not be kept; the next comparison reads them again',
          )
        }
      },
    }
  }

  return { catchUp }
}

/** Removes all hashes. Without the change log, none may be kept. */
export async function forgetKept(database: Database): Promise<void> {
  await keptQueries(database).removeAll.run({})
}

/** The entries that have changed. */
interface Concerned {
  /** Ids of entries by type. */
  readonly ids: Map<string, Set<number>>
  /** Types of which any entry may have changed. */
  readonly whole: Set<string>
}

/** A move from one position of the log to a later one. */
interface Move {
  readonly known: number | undefined
  readonly head: number
  readonly changed: Concerned | undefined
}

function note(
  { ids, whole }: Concerned,
  { type, entryId, kind, origin }: Change,
  dependents: KeptHashesDeps['dependents'],
): void {
  if (type === undefined || kind === 'flip') return
  if (entryId === undefined) {
    whole.add(type)
    return
  }
  const ofType = ids.get(type) ?? new Set()
  ids.set(type, ofType)
  ofType.add(entryId)
  // Nothing can refer to a new entry. A restored entry is also logged as created, but with another operation.
  const isNew = kind === 'create' && origin?.operation === 'create'
  if (kind !== 'delete' && (kind !== 'create' || isNew)) return
  for (const each of dependents.get(type) ?? []) whole.add(each)
}

function keptQueries(database: Database) {
  const hashes = keptHashesTable.on(database)
  const states = keptHashesStateTable.on(database)
  const { type, form, entryId } = keptHashesTable.columns
  return {
    find: hashes.find(
      (value, inList) =>
        sql`${type} = ${value(type)} and ${form} = ${value(form)} and ${inList(entryId, 'entryIds')}`,
      { pick: ['entryId', 'hash', 'updatedAt'] },
    ),
    insert: hashes.insertMany(),
    remove: hashes.delete(
      (value, inList) => sql`${type} = ${value(type)} and ${inList(entryId, 'entryIds')}`,
    ),
    removeType: hashes.delete(['type']),
    removeAll: hashes.delete(() => sql`1 = 1`),
    state: states.find(['name']),
    lock: states.find(['name'], { lock: true }),
    begin: states.insert({ ignoreDuplicates: true }),
    move: states.update(['position'], ['name']),
  }
}
