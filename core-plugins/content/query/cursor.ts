import { type SQL, sql } from 'drizzle-orm'
import type { Dialect } from '../../database/database.ts'
import { AppError } from '../../http/http.ts'
import type { Entry } from '../content.ts'
import type { Slots } from './condition.ts'
import { parseFilterValue } from './filter-value.ts'
import type { SortKey } from './sort.ts'
import { columnOf } from './visibility.ts'

/** Where a keyset page begins: behind the entry with these values of the sort keys. Null means first page. */
export type CursorPosition = readonly CursorValue[] | null

/** The slot that holds the value; undefined where the entry's value is null. */
export interface CursorValue {
  readonly slot: string | undefined
}

/** As much as a query string can hold besides; several short texts fit, escaped and encoded. */
const maxCursorLength = 12_288

/** The cursor behind `entry`: opaque to clients, checked when it comes back. */
export function cursorAfter(entry: Entry, sort: readonly SortKey[]): string {
  const values = sort.map(({ field }) => entry[field.name] ?? null)
  return Buffer.from(JSON.stringify([sortNameOf(sort), ...values])).toString('base64url')
}

/** @throws AppError 400 for a cursor that was not made by `cursorAfter` for the same sort */
export function parseCursor(cursor: string, sort: readonly SortKey[], slots: Slots): CursorPosition {
  if (cursor === '') return null
  const values = decodeCursor(cursor)
  if (values === undefined || values.length !== sort.length + 1 || values[0] !== sortNameOf(sort)) {
    throw invalidCursor()
  }
  return sort.map(({ field }, index) => {
    const value = values[index + 1]
    if (value === null && field.nullable) return { slot: undefined }
    const parsed = parseFilterValue(
      { name: field.name, column: field.column, kind: field.kind, nullable: true },
      value,
    )
    if ('problem' in parsed) throw invalidCursor()
    return { slot: slots.add(field.kind, parsed.value) }
  })
}

function sortNameOf(sort: readonly SortKey[]): string {
  return sort.map(({ field, direction }) => `${field.name}:${direction}`).join(',')
}

function decodeCursor(cursor: string): unknown[] | undefined {
  if (cursor.length > maxCursorLength) return undefined
  try {
    const values: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
    return Array.isArray(values) ? values : undefined
  } catch {
    return undefined
  }
}

function invalidCursor(): AppError {
  const message = 'is not a cursor of this list and sort; begin again with an empty one'
  return AppError.invalid([{ path: 'cursor', code: 'cursor', message }])
}

/**
 * Holds for what comes after the position. The first key's bound stands alone in front, so that the database
 * can begin to read its index there instead of at the start: a deep page costs what the first one does.
 */
export function afterCursor(
  position: NonNullable<CursorPosition>,
  sort: readonly SortKey[],
  alias: string,
  dialect: Dialect,
): SQL {
  const alternatives = sort.map((_, depth) => {
    const ties = sort.slice(0, depth).map((key, index) => tiesWith(key, position[index], alias, dialect))
    const parts = [...ties, comesAfter(sort[depth], position[depth], alias, dialect)]
    return sql`(${sql.join(parts, sql` and `)})`
  })
  const after = sql`(${sql.join(alternatives, sql` or `)})`
  const bound = outerBound(sort[0], position[0], alias, dialect)
  return bound === undefined ? after : sql`${bound} and ${after}`
}

type Key = SortKey | undefined
type Value = CursorValue | undefined

function tiesWith(key: Key, value: Value, alias: string, dialect: Dialect): SQL {
  if (key === undefined || value === undefined) return sql`1 = 1`
  const column = columnOf(alias, key.field.column)
  return value.slot === undefined
    ? sql`${column} is null`
    : sql`${column} = ${dialect.placeholder(value.slot, key.field.kind)}`
}

/** Null is smaller than everything (`Dialect.orderBy`). */
function comesAfter(key: Key, value: Value, alias: string, dialect: Dialect): SQL {
  if (key === undefined || value === undefined) return sql`1 = 0`
  const column = columnOf(alias, key.field.column)
  if (value.slot === undefined) return key.direction === 'asc' ? sql`${column} is not null` : sql`1 = 0`
  const placeholder = dialect.placeholder(value.slot, key.field.kind)
  if (key.direction === 'asc') return sql`${column} > ${placeholder}`
  return key.field.nullable
    ? sql`(${column} < ${placeholder} or ${column} is null)`
    : sql`${column} < ${placeholder}`
}

function outerBound(key: Key, value: Value, alias: string, dialect: Dialect): SQL | undefined {
  if (key === undefined || value?.slot === undefined) return undefined
  if (key.direction === 'desc' && key.field.nullable) return undefined
  const column = columnOf(alias, key.field.column)
  const placeholder = dialect.placeholder(value.slot, key.field.kind)
  return key.direction === 'asc' ? sql`${column} >= ${placeholder}` : sql`${column} <= ${placeholder}`
}
