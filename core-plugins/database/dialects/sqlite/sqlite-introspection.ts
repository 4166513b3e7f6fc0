import { sql } from 'drizzle-orm'
import type { ReferenceSpec } from '../../database.ts'
import { compileStatement } from '../../statement.ts'
import { groupBy } from '../../sync/group-by.ts'
import type { LiveColumn, LiveIndex, LiveSchema } from '../../sync/schema-store.ts'
import type { SqliteConnection } from './sqlite-connection.ts'
import { sqliteCompiler } from './sqlite-dialect.ts'

const isOwn = sql`m.type = 'table' and m.name not like 'sqlite\\_%' escape '\\'`

const tablesQuery = sql`select m.name as "name" from sqlite_schema m where ${isOwn}`

const columnsQuery = sql`
  select m.name as "table", c.name as "name", c.type as "type", c."notnull" as "required",
    c.dflt_value as "default", c.pk as "keyPosition"
  from sqlite_schema m, pragma_table_info(m.name) c where ${isOwn} order by m.name, c.cid`

const indexesQuery = sql`
  select m.tbl_name as "table", m.name as "name", m.sql as "sql", group_concat(i.name) as "columns"
  from sqlite_schema m, pragma_index_info(m.name) i where m.type = 'index' and m.sql is not null
  group by m.tbl_name, m.name, m.sql`

const referencesQuery = sql`
  select m.name as "table", f."from" as "column", f."table" as "target", lower(f.on_delete) as "onDelete"
  from sqlite_schema m, pragma_foreign_key_list(m.name) f where ${isOwn}`

interface IndexRow {
  table: string
  name: string
  sql: string
  columns: string
}

interface ColumnRow {
  table: string
  name: string
  type: string
  required: number
  default: string | null
  keyPosition: number
}

/** The tables as they are. */
export function introspectSqlite(connection: SqliteConnection): LiveSchema {
  const ask = <R>(query: typeof tablesQuery) =>
    connection.all<R>(compileStatement<R>(query, {}, sqliteCompiler))
  const columns = groupBy(ask<ColumnRow>(columnsQuery), (row) => row.table)
  const indexes = groupBy(ask<IndexRow>(indexesQuery), (row) => row.table)
  const references = groupBy(
    ask<{ table: string; column: string; target: string; onDelete: string }>(referencesQuery),
    (row) => row.table,
  )
  const tables = ask<{ name: string }>(tablesQuery).map(({ name }) => ({
    name,
    columns: new Map((columns.get(name) ?? []).map((row) => [row.name, liveColumn(row)])),
    primaryKey: keyOf(columns.get(name) ?? []),
    indexes: new Map((indexes.get(name) ?? []).map((row) => [row.name, liveIndex(row)])),
    references: (references.get(name) ?? []).map(
      ({ column, target, onDelete }) => ({ column, table: target, onDelete }) as ReferenceSpec,
    ),
  }))
  return new Map(tables.map((table) => [table.name, table]))
}

function liveColumn(row: ColumnRow): LiveColumn {
  const isKey = row.keyPosition > 0
  return { name: row.name, type: row.type, nullable: row.required === 0 && !isKey, default: row.default }
}

function liveIndex({ name, sql, columns }: IndexRow): LiveIndex {
  return { name, sql, columns: columns.split(',') }
}

function keyOf(rows: readonly ColumnRow[]): string[] {
  return rows
    .filter((row) => row.keyPosition > 0)
    .sort((left, right) => left.keyPosition - right.keyPosition)
    .map((row) => row.name)
}
