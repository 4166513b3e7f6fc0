import type BetterSqlite from 'better-sqlite3'
import { type SQL, sql } from 'drizzle-orm'
import type { JsonDialect, JsonType } from '../../json-dialect.ts'
import { encodeDecimal } from './sortable-decimal.ts'

const typeAt = (document: SQL, path: string) => sql`json_type(${document}, ${sql.placeholder(path)})`

export const sqliteJson: JsonDialect = {
  path: (keys) => `$${keys.map((key) => `."${key}"`).join('')}`,
  value,
  double: (text) => sql`cast(${text} as real)`,
  isNull: (document, path) => sql`coalesce(${typeAt(document, path)}, 'null') = 'null'`,
  isObject: (document, path) =>
    path === undefined ? sql`${document} glob '{*'` : sql`${typeAt(document, path)} = 'object'`,
  items: (document, path, alias) =>
    path === undefined
      ? sql`json_each(${document}) ${sql.identifier(alias)}`
      : sql`json_each(${document}, ${sql.placeholder(path)}) ${sql.identifier(alias)}`,
  // For an object, `json_each` returns its members, whose keys are texts.
  item: (alias) => itemOf(alias, 'object'),
  someItem: (items, condition) => sql`exists (select 1 from ${items} where ${condition})`,
  itemId: (alias) => itemOf(alias, 'integer'),
}

function itemOf(alias: string, type: 'object' | 'integer'): SQL {
  const item = sql.identifier(alias)
  return sql`case when ${item}.type = ${sql.raw(`'${type}'`)} and typeof(${item}.key) = 'integer' then ${item}.value end`
}

function value(document: SQL, path: string, as: JsonType): SQL {
  const type = typeAt(document, path)
  const found = sql`json_extract(${document}, ${sql.placeholder(path)})`
  switch (as) {
    case 'text':
      return sql`case when ${type} = 'text' then ${found} end`
    case 'boolean':
      return sql`case ${type} when 'true' then 1 when 'false' then 0 end`
    case 'double':
      return sql`case when ${type} in ('integer', 'real') then cast(${found} as real) end`
    case 'decimal':
      return sql`json_decimal(${document} -> ${sql.placeholder(path)})`
    default:
      return sql`case when ${type} in ('integer', 'text') and ${found} glob '[-0-9]*' and ${found} not glob '?*[^0-9]*'
        then cast(${found} as integer) end`
  }
}

/** The SQL functions behind `value`. */
export function addJson(native: BetterSqlite.Database): void {
  native.function('json_decimal', { deterministic: true }, (json: unknown) => {
    if (typeof json !== 'string') return null
    try {
      return encodeDecimal(json.startsWith('"') ? json.slice(1, -1) : json)
    } catch {
      return null
    }
  })
}
