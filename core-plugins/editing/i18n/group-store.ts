import {
  column,
  type Database,
  defineTable,
  type Queries,
  type Transaction,
} from '../../foundation/database/database.ts'
import type { ContentType } from '../../foundation/schemas/schemas.ts'
import { groupQueries } from './group-queries.ts'
import type { TranslationStatus } from './i18n.ts'
import type { Version } from './version.ts'

/** One row for each localised single type; writers of its versions lock it. */
export const singleLocksTable = defineTable(
  'svc_localized_singles',
  { type: column.string() },
  { primaryKey: ['type'] },
)

export interface StatusChange {
  readonly status: TranslationStatus
  readonly now: string
  /** If set, changes only versions with this status. */
  readonly from?: TranslationStatus
}

/** Queries and updates of versions in the rows of localised types. */
export interface GroupStore {
  /**
   * All versions, except those in the trash, of the entries that the given versions belong to; ordered by id, so that sources
   * come first.
   */
  versions(type: ContentType, ids: readonly number[], queries?: Queries): Promise<Version[]>
  /** The versions of a single type. */
  versionsOfSingle(type: ContentType, tx: Transaction): Promise<Version[]>
  /** Locks all versions of the entries until the end of the transaction, waiting for other writers. */
  lock(type: ContentType, ids: readonly number[], tx: Transaction): Promise<void>
  setStatus(type: ContentType, ids: readonly number[], change: StatusChange, tx: Transaction): Promise<void>
  describe(
    type: ContentType,
    change: { ids: readonly number[]; status: TranslationStatus; notes: string | null; now: string },
    tx: Transaction,
  ): Promise<void>
  /** Gives rows that are older than this plugin a locale and a group of their own. */
  fill(type: ContentType, defaultLocale: string, tx: Transaction): Promise<void>
}

export function createGroupStore(database: Database): GroupStore {
  const made = new Map<ContentType, ReturnType<typeof groupQueries>>()
  const singles = singleQueries(database)
  /** Locked first versions by type and id. */
  const locked = new WeakMap<Transaction, Set<string>>()
  const { hasRowLocks } = database.dialect

  function queriesOf(type: ContentType) {
    const queries = made.get(type) ?? groupQueries(type, database)
    made.set(type, queries)
    return queries
  }

  /** Locks only the first version of each entry on behalf of all; if it is deleted while waiting, the next one takes over. */
  async function lockFirsts(type: ContentType, ids: readonly number[], tx: Transaction): Promise<void> {
    const { firsts, lockRows } = queriesOf(type)
    const held = locked.get(tx) ?? new Set()
    locked.set(tx, held)
    const keyOf = (id: number) => `${type.name} ${id}`
    for (;;) {
      const wanted = (await firsts.all({ ids }, tx)).map(({ id }) => id).filter((id) => !held.has(keyOf(id)))
      if (wanted.length === 0) return
      for (const { id } of await lockRows.all({ ids: wanted }, tx)) held.add(keyOf(id))
    }
  }

  return {
    versions: (type, ids, queries) => queriesOf(type).versions.all({ ids }, queries),
    versionsOfSingle: (type, tx) => queriesOf(type).versionsOfGroup.all({ group: type.name }, tx),
    async lock(type, ids, tx) {
      if (!hasRowLocks) return
      if (type.kind === 'singleType') await singles.lock.all({ type: type.name }, tx)
      else await lockFirsts(type, ids, tx)
    },
    async setStatus(type, ids, { status, now, from }, tx) {
      const { setStatus, replaceStatus } = queriesOf(type)
      await (from === undefined ? setStatus : replaceStatus).run({ ids, status, now, from }, tx)
    },
    async describe(type, change, tx) {
      await queriesOf(type).describe.run(change, tx)
    },
    async fill(type, locale, tx) {
      const queries = queriesOf(type)
      const isSingle = type.kind === 'singleType'
      if (isSingle) await singles.add.run({ type: type.name }, tx)
      const first = await queries.unfilled.get({}, tx)
      if (first === undefined) return
      const group = { group: type.name }
      const isFirst = isSingle && (await queries.versionsOfGroup.get(group, tx)) === undefined
      if (isFirst) await queries.fillGroupOfSingle.run({ id: first.id, ...group }, tx)
      await queries.fillGroups.run({}, tx)
      await queries.fillLocales.run({ locale }, tx)
      await queries.fillClaims?.run({}, tx)
    },
  }
}

function singleQueries(database: Database) {
  const singles = singleLocksTable.on(database)
  return { add: singles.insert({ ignoreDuplicates: true }), lock: singles.find(['type'], { lock: true }) }
}
