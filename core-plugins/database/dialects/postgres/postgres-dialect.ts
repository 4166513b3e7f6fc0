import { type SQL, sql } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import type { ColumnKind, Dialect } from '../../database.ts'
import { decimalText, integerDigits } from '../../number.ts'
import { shortening } from '../../statement.ts'
import { isoMoment } from '../../value.ts'

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
}

const casts = Object.fromEntries(
  Object.entries(castNames).map(([kind, name]) => [kind, sql.raw(`::${name}`)]),
) as Readonly<Record<ColumnKind, SQL>>

export const postgresDialect: Dialect = {
  name: 'postgres',
  fold: (text) => sql`(replace(lower((${text}) collate "und-x-icu"), 'ς', 'σ') collate "C")`,
  contains: (text, part) => sql`strpos(${text}, ${part}) > 0`,
  startsWith: (text, part) => sql`starts_with(${text}, ${part})`,
  endsWith: (text, part) => sql`right(${text}, length(${part})) = ${part}`,
  inList: (value, name, kind) => sql`${value} = any(${sql.placeholder(name)}${casts[kind]}[])`,
  list: (items, kind) => `{${items.map((item) => listItem(item, kind)).join(',')}}`,
  placeholder: (name, kind) => sql`${sql.placeholder(name)}${casts[kind]}`,
  bind,
  orderBy(expression, direction, nullable) {
    if (!nullable) return sql`${expression} ${sql.raw(direction)}`
    return sql`${expression} ${sql.raw(direction === 'asc' ? 'asc nulls first' : 'desc nulls last')}`
  },
  joinIds: (column, orderBy) => sql`string_agg(${column}::text, ',' order by ${orderBy})`,
  select: (column) => column,
  forUpdate: sql`for update`,
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
    case 'datetime':
      return isoMoment(value)
    default:
      return value
  }
}

/** An element of an array as the server reads it. */
function listItem(item: unknown, kind: ColumnKind): string {
  const bound = bind(item, kind)
  if (bound === null) return 'NULL'
  if (typeof bound !== 'string') return String(bound)
  return `"${bound.replace(/["\\]/g, '\\$&')}"`
}
