import { type SQL, sql } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import { decimalText } from '../../decimal.ts'
import type { Dialect } from '../../dialect.ts'
import { integerDigits } from '../../integer.ts'
import { encodePoint, pointLayout } from '../../point.ts'
import { shortening } from '../../statements/compiled-statement.ts'
import type { ColumnKind } from '../../tables/column-kind.ts'
import { shortenIdentifier } from '../../tables/identifier.ts'
import { isoMoment } from '../../tables/value.ts'
import { relatedByExists } from '../related-by-exists.ts'
import { postgresJson } from './postgres-json.ts'

export const postgresCompiler = shortening(new PgDialect())

const castNames: Readonly<Record<ColumnKind, string>> = {
  id: 'bigint',
  reference: 'bigint',
  integer: 'bigint',
  bigint: 'bigint',
  decimal: 'numeric',
  boolean: 'boolean',
  string: 'text',
  text: 'text',
  date: 'date',
  datetime: 'timestamptz',
  json: 'text',
  point: 'bigint',
}

const casts = Object.fromEntries(
  Object.entries(castNames).map(([kind, name]) => [kind, sql.raw(`::${name}`)]),
) as Readonly<Record<ColumnKind, SQL>>

/** With the precision of the columns, because otherwise indexes cannot be used for cast values. */
const moment = sql.raw('::timestamptz(3)')

const latitudeOffset = sql.raw(String(pointLayout.latitudeOffset))
const longitudeMask = sql.raw(`${pointLayout.longitudeMask}::bigint`)
const longitudeOffset = sql.raw(String(pointLayout.longitudeOffset))

export const postgresDialect: Dialect = {
  name: 'postgres',
  concat: (left, right) => sql`(${left}::text || ${right}::text)`,
  fold: (text) => sql`(replace(lower((${text}) collate "und-x-icu"), 'ς', 'σ') collate "C")`,
  contains: (text, part) => sql`strpos(${text}, ${part}) > 0`,
  startsWith: (text, part) => sql`starts_with(${text}, ${part})`,
  endsWith: (text, part) => sql`right(${text}, length(${part})) = ${part}`,
  isListFastInWrites: true,
  inList: (value, name, kind) => sql`${value} = any(${sql.placeholder(name)}${casts[kind]}[])`,
  list: (items, kind) => `{${items.map((item) => listItem(item, kind)).join(',')}}`,
  latitude: (column) => sql`((${column} >> 32) - ${latitudeOffset})::float8`,
  longitude: (column) => sql`((${column} & ${longitudeMask}) - ${longitudeOffset})::float8`,
  json: postgresJson,
  placeholder: (name, kind) => sql`${sql.placeholder(name)}${casts[kind]}`,
  rowCount: (name) => sql`${sql.placeholder(name)}${casts.integer}`,
  bind,
  orderBy(expression, direction, nullable) {
    if (!nullable) return sql`${expression} ${sql.raw(direction)}`
    return sql`${expression} ${sql.raw(direction === 'asc' ? 'asc nulls first' : 'desc nulls last')}`
  },
  ...relatedByExists,
  // The planner assumes that an array of unknown length is short; for a join it might scan the whole table.
  fromPage: (page, { table, id, joins }) => sql`from ${table}${joins} where ${id} = any(array(${page}))`,
  joinIds: (column, orderBy) => sql`string_agg(${column}::text, ',' order by ${orderBy})`,
  select: (column) => column,
  // The cast costs nothing if the column already has this type.
  asDeclared: (column, kind) => sql`${column}${kind === 'datetime' ? moment : casts[kind]}`,
  sum: (column) => [sql`sum(${column})`],
  // Without the cast the server would choose a scale that depends on the numbers, and equal quotients could differ.
  quotient: ([sum = sql`null`], count) => [sql`round((${sum})::numeric(1000, 40) / nullif(${count}, 0), 30)`],
  extreme(which, column, kind) {
    if (kind === 'boolean') return which === 'min' ? sql`bool_and(${column})` : sql`bool_or(${column})`
    return sql`${sql.raw(which)}(${column})`
  },
  isInProcess: false,
  hasRowLocks: true,
  forUpdate: sql`for update`,
  forChange: sql`for no key update`,
  byPrimaryKey: sql``,
  readsAfterLocks: false,
  answersInsertedIds: true,
  newUuid: sql`gen_random_uuid()::text`,
  forUpdateSkipLocked: sql`for update skip locked`,
  insertsTogether,
  ignoreDuplicates: () => sql`on conflict do nothing`,
  advanceIds,
}

function insertsTogether(inserts: readonly SQL[]): SQL {
  const parts = inserts.slice(0, -1).map((insert, part) => sql`${sql.raw(`part${part}`)} as (${insert})`)
  return sql`with ${sql.join(parts, sql`, `)} ${inserts.at(-1)}`
}

/** Never moves backwards: an id is never reused. */
function advanceIds(table: string, column: string): SQL {
  const name = shortenIdentifier(table)
  const sequence = sql`pg_get_serial_sequence(quote_ident(${name}::text), ${shortenIdentifier(column)}::text)`
  const highest = sql`select coalesce(max(${sql.identifier(column)}), 0) from ${sql.identifier(table)}`
  return sql`select setval(${sequence}::regclass, greatest((${highest}) + 1, nextval(${sequence}::regclass)), false)`
}

function bind(value: unknown, kind: ColumnKind): unknown {
  if (value === null || value === undefined) return null
  switch (kind) {
    case 'boolean':
      return Boolean(value)
    case 'json':
      return JSON.stringify(value)
    case 'decimal':
      return decimalText(value)
    case 'bigint':
      return integerDigits(value)
    case 'point':
      return encodePoint(value)
    case 'datetime':
      return isoMoment(value)
    default:
      return value
  }
}

/** Escapes an element of an array literal. */
function listItem(item: unknown, kind: ColumnKind): string {
  const bound = bind(item, kind)
  if (bound === null) return 'NULL'
  if (typeof bound !== 'string') return String(bound)
  return `"${bound.replace(/["\\]/g, '\\$&')}"`
}
