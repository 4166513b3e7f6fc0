import { type SQL, sql } from 'drizzle-orm'
import type { Dialect } from '../../../foundation/database/database.ts'
import { AppError, type ErrorDetail } from '../../../foundation/http/http.ts'
import type { Entry } from '../entry/entry.ts'
import type { Slots } from './condition.ts'
import { parseFilterValue } from './filter-value.ts'
import type { SortKey } from './sort.ts'
import { shownColumn } from './visibility.ts'

/** Where a keyset page starts: after the entry with these values of the sort keys. Null: the first page. */
export type CursorPosition = readonly CursorValue[] | null

/** The slot that holds the value; undefined if the entry's value is null. */
export interface CursorValue {
  readonly slot: string | undefined
}

/** Fits into a query string next to other parameters; enough for several short texts, escaped and encoded. */
const maxCursorLength = 12_288

/** The cursor of the page after `entry`: opaque to clients, checked when it is sent back. */
export function cursorAfter(entry: Entry, sort: readonly SortKey[]): string {
  const values = sort.map(({ field }) => entry[field.name] ?? null)
  return Buffer.from(JSON.stringify([sortNameOf(sort), ...values])).toString('base64url')
}

/** @throws AppError 400 for a cursor that `cursorAfter` did not create for the same sort */
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

/** Reasons why a query cannot use a cursor. */
export function cursorConflicts(sort: readonly SortKey[], hasOffset: boolean): ErrorDetail[] {
  const problems = hasOffset ? ['cannot be combined with offset'] : []
  // A cursor holds the values of the last entry, which may be longer than any URL.
  if (sort.some(({ field }) => field.kind === 'text')) {
    problems.push('cannot be combined with a sort by long texts; use offset')
  }
  // Entries do not contain these values, so a cursor cannot either.
  if (sort.some(({ expression }) => expression !== undefined)) {
    problems.push('cannot be combined with a sort by what `_meta` shows; use offset')
  }
  if (sort.some(({ through }) => through !== undefined)) {
    problems.push('cannot be combined with a sort by fields of related entries; use offset')
  }
  if (sort.some(({ centre }) => centre !== undefined)) {
    problems.push('cannot be combined with a sort by distance; use offset')
  }
  return problems.map((message) => ({ path: 'cursor', code: 'conflict', message }))
}

function invalidCursor(): AppError {
  const message = 'is not a cursor of this list and sort; begin again with an empty one'
  return AppError.invalid([{ path: 'cursor', code: 'cursor', message }])
}

/** The entries after a position, where a single index range cannot describe them. */
export interface AfterCursor {
  readonly next: SQL
  /** The entries that follow all those in `next`: the nulls, or the entries after them. */
  readonly rest: SQL | undefined
}

/**
 * The condition for entries after the position. The bound of the first key comes first and on its own, so
 * that the database can start its index scan there: a deep page costs as much as the first. Nulls are never
 * part of such a range, so they get a condition of their own where they are in it.
 */
export function afterCursor(
  position: NonNullable<CursorPosition>,
  sort: readonly SortKey[],
  alias: string,
  dialect: Dialect,
): AfterCursor {
  const [first] = sort
  const after = (from: number) => alternativesFrom(from, position, sort, alias, dialect)
  if (first === undefined) return { next: sql`1 = 0`, rest: undefined }
  const column = keyColumn(first, alias, dialect)
  const slot = position[0]?.slot
  if (slot === undefined) {
    const isLast = first.direction === 'desc'
    return {
      next: sql`${column} is null and ${after(1)}`,
      rest: isLast ? undefined : sql`${column} is not null`,
    }
  }
  const placeholder = dialect.placeholder(slot, first.field.kind)
  const bound =
    first.direction === 'asc' ? sql`${column} >= ${placeholder}` : sql`${column} <= ${placeholder}`
  const hasNullsBehind = first.direction === 'desc' && first.field.nullable
  return { next: sql`${bound} and ${after(0)}`, rest: hasNullsBehind ? sql`${column} is null` : undefined }
}

/** One alternative per key: all keys before it are equal, and it comes after. */
function alternativesFrom(
  from: number,
  position: NonNullable<CursorPosition>,
  sort: readonly SortKey[],
  alias: string,
  dialect: Dialect,
): SQL {
  const alternatives = sort.slice(from).map((key, index) => {
    const depth = from + index
    const ties = sort.slice(0, depth).map((other, at) => tiesWith(other, position[at], alias, dialect))
    const comes =
      depth === 0
        ? isBeyond(key, position[0], alias, dialect)
        : comesAfter(key, position[depth], alias, dialect)
    return sql`(${sql.join([...ties, comes], sql` and `)})`
  })
  return alternatives.length === 0 ? sql`1 = 0` : sql`(${sql.join(alternatives, sql` or `)})`
}

function keyColumn({ field }: SortKey, alias: string, dialect: Dialect): SQL {
  return dialect.asDeclared(shownColumn(alias, field), field.kind)
}

type Value = CursorValue | undefined

function tiesWith(key: SortKey, value: Value, alias: string, dialect: Dialect): SQL {
  const column = keyColumn(key, alias, dialect)
  return value?.slot === undefined
    ? sql`${column} is null`
    : sql`${column} = ${dialect.placeholder(value.slot, key.field.kind)}`
}

/** Null sorts before everything (`Dialect.orderBy`). */
function comesAfter(key: SortKey, value: Value, alias: string, dialect: Dialect): SQL {
  const column = keyColumn(key, alias, dialect)
  if (value?.slot === undefined) return key.direction === 'asc' ? sql`${column} is not null` : sql`1 = 0`
  const beyond = isBeyond(key, value, alias, dialect)
  return key.direction === 'desc' && key.field.nullable ? sql`(${beyond} or ${column} is null)` : beyond
}

/** Like `comesAfter`, but without nulls. */
function isBeyond(key: SortKey, value: Value, alias: string, dialect: Dialect): SQL {
  if (value?.slot === undefined) return sql`1 = 0`
  const column = keyColumn(key, alias, dialect)
  const placeholder = dialect.placeholder(value.slot, key.field.kind)
  return key.direction === 'asc' ? sql`${column} > ${placeholder}` : sql`${column} < ${placeholder}`
}
