import { type SQL, sql } from 'drizzle-orm'
import { type Columns, type Database, type Queries, query } from '../../../foundation/database/database.ts'
import { type ContentType, hasUuid, uuidColumn } from '../../../foundation/schemas/schemas.ts'

/** Maps the keys that identify entries in every environment to their ids here, and back. */
export interface EntryKeys {
  keysOf(type: ContentType, ids: readonly number[], on?: Queries): Promise<ReadonlyMap<number, string>>
  idsOf(type: ContentType, keys: readonly string[], on?: Queries): Promise<ReadonlyMap<string, number>>
  /** The keys of entries in the trash. */
  trashedKeysOf(type: ContentType, ids: readonly number[], on?: Queries): Promise<ReadonlyMap<number, string>>
  /** The ids of entries with these keys that are in the trash. */
  trashed(type: ContentType, keys: readonly string[], on?: Queries): Promise<readonly number[]>
  page(type: ContentType, after: string, limit: number): Promise<readonly DatedEntry[]>
}

export interface KeyedEntry {
  readonly id: number
  readonly key: string
}

/** An entry with the time of its last change (ISO 8601); null for types without timestamps. */
export interface DatedEntry extends KeyedEntry {
  readonly updatedAt: string | null
}

/** The key of the entry of a single type without locales. With locales, the locales are the keys. */
export const singleKey = 'single'

const kinds = {
  id: { column: 'id', kind: 'id' },
  key: { column: 'key', kind: 'string' },
} as const satisfies Columns

export function createEntryKeys(database: Database, hasLocales: (type: ContentType) => boolean): EntryKeys {
  const made = new Map<ContentType, ReturnType<typeof keyQueries>>()

  function queriesOf(type: ContentType) {
    const known = made.get(type) ?? keyQueries(type, database, hasLocales(type))
    made.set(type, known)
    return known
  }

  return {
    async keysOf(type, ids, on) {
      const found = ids.length === 0 ? [] : await queriesOf(type).byIds.all({ ids }, on)
      return new Map(found.map(({ id, key }) => [id, key]))
    },
    async idsOf(type, keys, on) {
      const found = keys.length === 0 ? [] : await queriesOf(type).byKeys.all({ keys }, on)
      return new Map(found.map(({ id, key }) => [key, id]))
    },
    async trashedKeysOf(type, ids, on) {
      const { trashed } = queriesOf(type)
      const found = trashed === undefined || ids.length === 0 ? [] : await trashed.byIds.all({ ids }, on)
      return new Map(found.map(({ id, key }) => [id, key]))
    },
    async trashed(type, keys, on) {
      const { trashed } = queriesOf(type)
      if (keys.length === 0 || trashed === undefined) return []
      return (await trashed.byKeys.all({ keys }, on)).map(({ id }) => id)
    },
    page: (type, after, limit) => queriesOf(type).page.all({ after, limit }),
  }
}

function keyQueries(type: ContentType, database: Database, hasLocale: boolean) {
  const table = sql.identifier(type.table)
  const key = keyOf(type, hasLocale)
  const present = type.options.softDelete ? sql` and deleted_at is null` : sql``
  const select = sql`select id, ${key} as ${sql.identifier('key')} from ${table}`
  const updatedAt = type.options.timestamps ? sql`updated_at` : sql`null`
  const order = sql`order by ${type.kind === 'singleType' && !hasLocale ? sql`id` : key}`
  const among = (state: SQL) => ({
    byIds: query<KeyedEntry>(
      database,
      (_, inList) => sql`${select} where ${inList(sql`id`, 'ids', 'id')}${state}`,
      kinds,
    ),
    byKeys: query<KeyedEntry>(
      database,
      (_, inList) => sql`${select} where ${inList(key, 'keys', 'string')}${state}`,
      kinds,
    ),
  })
  return {
    ...among(present),
    trashed: type.options.softDelete ? among(sql` and deleted_at is not null`) : undefined,
    page: query<DatedEntry>(
      database,
      (
        value,
      ) => sql`select id, ${key} as ${sql.identifier('key')}, ${updatedAt} as ${sql.identifier('updatedAt')}
        from ${table} where ${key} > ${value('after', 'string')}${present} ${order}
        limit ${value('limit', 'integer')}`,
      { ...kinds, updatedAt: { column: 'updatedAt', kind: 'datetime' } },
    ),
  }
}

/**
 * Entries of single types are created independently in each environment, so they have fixed keys. Accounts and roles are
 * identified by their names.
 */
function keyOf(type: ContentType, hasLocale: boolean) {
  if (type.kind === 'singleType') return hasLocale ? sql`locale` : sql.raw(`'${singleKey}'`)
  if (hasUuid(type)) return sql`${sql.identifier(uuidColumn)}`
  return sql`${sql.identifier(type.name === 'user' ? 'username' : 'name')}`
}
