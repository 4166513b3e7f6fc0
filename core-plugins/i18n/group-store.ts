import { sql } from 'drizzle-orm'
import { type Database, type Queries, query, type TableSpec, type Transaction } from '../database/database.ts'
import type { ContentType } from '../schemas/schemas.ts'
import { groupQueries } from './group-queries.ts'
import type { TranslationStatus } from './i18n.ts'

/** One row for every single type with locales: whoever writes its versions locks it. */
export const singleLocksTable: TableSpec = {
  name: 'svc_localized_singles',
  columns: [{ name: 'type', kind: 'string' }],
  primaryKey: ['type'],
}

/** A version of an entry. */
export interface Version {
  readonly id: number
  readonly group: string
  readonly locale: string
  /** Null: nobody has set any. */
  readonly status: TranslationStatus | null
  readonly notes: string | null
  readonly statusAt: string | null
  readonly createdAt: string
  /** Of types with drafts. */
  readonly publishedAt?: string | null
}

export interface StatusChange {
  readonly status: TranslationStatus
  readonly now: string
  /** Only where the status is this one. */
  readonly from?: TranslationStatus
}

/** What the rows of localised types say of their versions. */
export interface GroupStore {
  /** All versions of the entries that ids are versions of, without deleted ones; by id, so that sources come first. */
  versions(type: ContentType, ids: readonly number[], queries?: Queries): Promise<Version[]>
  /** The versions of a single type. */
  versionsOfSingle(type: ContentType, tx: Transaction): Promise<Version[]>
  /**
   * Waits for others who write versions of the same entries, and keeps them waiting until the end of the transaction.
   */
  lock(type: ContentType, ids: readonly number[], tx: Transaction): Promise<void>
  setStatus(type: ContentType, ids: readonly number[], change: StatusChange, tx: Transaction): Promise<void>
  describe(
    type: ContentType,
    version: { id: number; status: TranslationStatus; notes: string | null; now: string },
    tx: Transaction,
  ): Promise<void>
  /** Gives rows that are older than this plugin a locale, and a group of their own. */
  fill(type: ContentType, defaultLocale: string, tx: Transaction): Promise<void>
}

export function createGroupStore(database: Database): GroupStore {
  const made = new Map<ContentType, ReturnType<typeof groupQueries>>()
  const singles = singleQueries(database)
  /** First versions by type and id. */
  const locked = new WeakMap<Transaction, Set<string>>()
  // SQLite has one writer at a time anyway.
  const needsLocks = database.dialect.name !== 'sqlite'

  function queriesOf(type: ContentType) {
    const queries = made.get(type) ?? groupQueries(type, database)
    made.set(type, queries)
    return queries
  }

  /** The first version of each entry stands for all; one that was deleted meanwhile hands over to the next. */
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
      if (!needsLocks) return
      if (type.kind === 'singleType') await singles.lock.all({ type: type.name }, tx)
      else await lockFirsts(type, ids, tx)
    },
    async setStatus(type, ids, { status, now, from }, tx) {
      const { setStatus, replaceStatus } = queriesOf(type)
      await (from === undefined ? setStatus : replaceStatus).run({ ids, status, now, from }, tx)
    },
    async describe(type, version, tx) {
      await queriesOf(type).describe.run(version, tx)
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
  const table = sql.identifier(singleLocksTable.name)
  return {
    add: query(
      database,
      (value) =>
        sql`insert into ${table} (type) values (${value('type', 'string')})
          ${database.dialect.ignoreDuplicates('type')}`,
    ),
    lock: query(
      database,
      (value) => sql`select type from ${table} where type = ${value('type', 'string')}
        ${database.dialect.forUpdate}`,
    ),
  }
}
