import { type SQL, sql } from 'drizzle-orm'
import { LRUCache } from 'lru-cache'
import { upTo } from '../../../kernel/index.ts'
import type { ContentQueries } from '../../entries/content/content.ts'
import type { Database, Recipient, Statement } from '../../foundation/database/database.ts'
import { AppError } from '../../foundation/http/http.ts'
import { type FollowedType, type Following, maxTypes } from './following.ts'
import { shownEntry, type ToldChange } from './told-changes.ts'
import { type Look, withinAnswer } from './visible-entries.ts'

/** The entry after which a snapshot continues. */
interface Place {
  readonly type: string
  readonly id: number
}

/** A part of the entries that a caller may see. */
export interface SnapshotPage {
  readonly entries: readonly ToldChange[]
  /** Undefined at the end. */
  readonly next: Place | undefined
}

export interface SnapshotRequest {
  readonly following: Following
  /** Undefined: from the beginning. */
  readonly from: Place | undefined
  readonly limit: number
  readonly recipient: Recipient
}

export interface SnapshotParts {
  readonly contentQueries: ContentQueries
  readonly database: Database
  readonly look: Look
}

export type Snapshots = (request: SnapshotRequest) => Promise<SnapshotPage>

const alias = 't'
const column = (name: string) => sql`${sql.identifier(alias)}.${sql.identifier(name)}`

/** There is one statement per type and kind of caller. */
const maxKept = 500

/** Reads everything that a caller may see, type by type, ordered by id. */
export function createSnapshots({ contentQueries, database, look }: SnapshotParts): Snapshots {
  const statements = new LRUCache<string, Statement<{ id: number }>>(upTo(maxKept))
  const { dialect } = database

  /** @param visible restricts entries to those the caller may see, if the type needs that */
  function compile({ type }: FollowedType, visible: SQL | undefined, hasLocale: boolean) {
    const conditions = [sql`${column('id')} > ${dialect.placeholder('after', 'id')}`]
    if (visible !== undefined) conditions.push(visible)
    if (hasLocale) conditions.push(sql`${column('locale')} = ${dialect.placeholder('locale', 'string')}`)
    return database.prepare<{ id: number }>(
      sql`select ${column('id')} as ${sql.identifier('id')} from ${sql.identifier(type.table)} ${sql.identifier(alias)}
        where ${sql.join(conditions, sql` and `)}
        order by ${column('id')} limit ${dialect.placeholder('limit', 'integer')}`,
      { id: 'id' },
    )
  }

  async function idsAfter(followed: FollowedType, id: number, limit: number, following: Following) {
    const { type, isLocalized } = followed
    const locale = isLocalized ? following.locale : undefined
    const visible = type.system ? undefined : contentQueries.visible(type.name, following.principal)
    const key = `${visible?.key ?? type.name} ${locale === undefined}`
    const statement = statements.get(key) ?? compile(followed, visible?.where(alias), locale !== undefined)
    statements.set(key, statement)
    const bound = locale === undefined ? {} : { locale: dialect.bind(locale, 'string') }
    const rows = await database.all(statement, { ...visible?.values, ...bound, after: id, limit })
    return rows.map((row) => row.id)
  }

  async function read({ following, from, limit, recipient }: SnapshotRequest): Promise<SnapshotPage> {
    const findVisible = look(following, recipient)
    const entries: ToldChange[] = []
    let left = limit
    let asked = 0
    for (const followed of following.types.values()) {
      const { name } = followed.type
      if (from !== undefined && name < from.type) continue
      const after = from?.type === name ? from.id : 0
      if (asked === maxTypes) return { entries, next: { type: name, id: after } }
      const ids = await idsAfter(followed, after, left, following)
      entries.push(...(await shown(followed, ids)))
      asked += 1
      const last = ids.at(-1)
      if (last !== undefined && ids.length === left) return { entries, next: { type: name, id: last } }
      left -= ids.length
    }
    return { entries, next: undefined }

    async function shown(followed: FollowedType, ids: readonly number[]): Promise<ToldChange[]> {
      const found = await findVisible(followed, ids)
      const told = found.map((entry) => ({
        ...{ type: followed.type.name, id: entry.id },
        ...shownEntry(entry, followed, following),
      }))
      return told.sort((one, other) => one.id - other.id)
    }
  }

  return (request) =>
    withinAnswer(request.limit, request.following, (limit, following) =>
      read({ ...request, limit, following }),
    )
}

/** The cursor of a page: the feed's cursor at the beginning of the snapshot, and the place. */
export const snapshotCursor = (since: string, { type, id }: Place): string =>
  `${since}.${type}.${id.toString(36)}`

/** @throws AppError 400 */
export function readSnapshotCursor(cursor: string): { readonly since: string; readonly from: Place } {
  const [epoch, position, type, digits = '', ...rest] = cursor.split('.')
  const id = Number.parseInt(digits, 36)
  if (
    type === undefined ||
    rest.length > 0 ||
    !/^[0-9a-z]{1,11}$/.test(digits) ||
    !Number.isSafeInteger(id)
  ) {
    const message = 'is not a cursor of a snapshot'
    throw AppError.invalid([{ path: 'cursor', code: 'pattern', message }])
  }
  return { since: `${epoch}.${position}`, from: { type, id } }
}
