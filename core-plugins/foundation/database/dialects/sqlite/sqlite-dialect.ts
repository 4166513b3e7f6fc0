import { type SQL, sql } from 'drizzle-orm'
import { SQLiteSyncDialect } from 'drizzle-orm/sqlite-core'
import type { Dialect, RelatedRows } from '../../dialect.ts'
import { exactInteger, integerDigits } from '../../integer.ts'
import { decodePoint, encodePoint, pointLayout } from '../../point.ts'
import { shortening } from '../../statements/compiled-statement.ts'
import type { Decode } from '../../statements/row-builder.ts'
import type { ColumnKind } from '../../tables/column-kind.ts'
import { isoMoment } from '../../tables/value.ts'
import { decodeDecimal, encodeDecimal } from './sortable-decimal.ts'
import { sqliteJson } from './sqlite-json.ts'

export const sqliteCompiler = shortening(new SQLiteSyncDialect())

function isRelated(value: SQL, { key, from, where }: RelatedRows): SQL {
  return sql`${value} in (select ${key} from ${from} where ${where})`
}

const noLock = sql``

const latitudeOffset = sql.raw(String(pointLayout.latitudeOffset))
const longitudeMask = sql.raw(String(pointLayout.longitudeMask))
const longitudeOffset = sql.raw(String(pointLayout.longitudeOffset))

export const sqliteDialect: Dialect = {
  name: 'sqlite',
  concat: (left, right) => sql`(${left} || ${right})`,
  fold: (text) => sql`fold(${text})`,
  contains: (text, part) => sql`instr(${text}, ${part}) > 0`,
  startsWith: (text, part) => sql`substr(${text}, 1, length(${part})) = ${part}`,
  // Counted from the front: `substr` with a start of -0 would return the whole text.
  endsWith: (text, part) => sql`substr(${text}, length(${text}) - length(${part}) + 1) = ${part}`,
  isListFastInWrites: true,
  inList: (value, name) => sql`${value} in (select value from json_each(${sql.placeholder(name)}))`,
  list: (items, kind) => `[${items.map((item) => listItem(item, kind)).join(',')}]`,
  latitude: (column) => sql`cast((${column} >> 32) - ${latitudeOffset} as real)`,
  longitude: (column) => sql`cast((${column} & ${longitudeMask}) - ${longitudeOffset} as real)`,
  json: sqliteJson,
  placeholder: (name) => sql`${sql.placeholder(name)}`,
  // SQLite plans by the value of a bare parameter, so each run that binds another value prepares the statement again.
  rowCount: (name) => sql`cast(${sql.placeholder(name)} as integer)`,
  bind,
  // SQLite already treats null as the smallest value.
  orderBy: (expression, direction) => sql`${expression} ${sql.raw(direction)}`,
  // The set for `in` is computed once; `exists` would be evaluated for every row.
  isRelated,
  isUnrelated: (value, related) => sql`(${isRelated(value, related)}) is not true`,
  // A cross join keeps its order. With `in`, conditions inside would count twice against SQLite's depth
  // limit.
  fromPage: (page, { table, id, joins }) =>
    sql`from (${page}) page cross join ${table} on ${id} = page.id${joins}`,
  joinIds: (column, orderBy) => sql`group_concat(${column}, ',' order by ${orderBy})`,
  select: (column: SQL, kind: ColumnKind) =>
    kind === 'bigint' || kind === 'point' ? sql`cast(${column} as text)` : column,
  asDeclared: (column) => column,
  // SQLite's own sum overflows, so integers are summed in halves of 32 bits.
  sum: (column, kind) =>
    kind === 'decimal'
      ? [sql`decimal_sum(${column})`]
      : [sql`sum_of_halves(sum(${column} >> 32), sum(${column} & 4294967295))`],
  quotient: ([sum = sql`null`], count) => [sql`decimal_quotient(${sum}, ${count})`],
  extreme: (which, column) => sql`${sql.raw(which)}(${column})`,
  isInProcess: true,
  hasRowLocks: false,
  forUpdate: noLock,
  forChange: noLock,
  byPrimaryKey: sql``,
  readsAfterLocks: true,
  answersInsertedIds: false,
  newUuid: sql`lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2)
    || '-' || substr('89ab', 1 + abs(random() % 4), 1) || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6)))`,
  forUpdateSkipLocked: noLock,
  ignoreDuplicates: () => sql`on conflict do nothing`,
  advanceIds: () => undefined,
}

function bind(value: unknown, kind: ColumnKind): unknown {
  if (value === null || value === undefined) return null
  switch (kind) {
    case 'boolean':
      return value ? 1 : 0
    case 'json':
      return JSON.stringify(value)
    case 'decimal':
      return encodeDecimal(value)
    case 'bigint':
      return BigInt(integerDigits(value))
    case 'point':
      return BigInt(encodePoint(value))
    case 'datetime':
      return isoMoment(value)
    default:
      return value
  }
}

// Digits are written verbatim: JSON.stringify does not support bigint, and SQLite reads 64 bits.
function listItem(item: unknown, kind: ColumnKind): string {
  const bound = bind(item, kind)
  return typeof bound === 'bigint' ? String(bound) : JSON.stringify(bound)
}

/** Converts SQLite's values to the application's, by kind; missing for kinds without conversion. */
export const sqliteDecoders: Partial<Record<ColumnKind, Decode>> = {
  boolean: (value: number) => value === 1,
  json: (value: string) => JSON.parse(value),
  decimal: decodeDecimal,
  point: decodePoint,
  bigint: (value: string | number) => (typeof value === 'string' ? exactInteger(value) : value),
}
