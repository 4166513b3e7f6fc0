import { sql } from 'drizzle-orm'
import { compileStatement } from '../../statements/compiled-statement.ts'
import { buildLiveSchema, type LiveRows } from '../../sync/live-rows.ts'
import type { LiveSchema } from '../../sync/live-schema.ts'
import type { SqliteConnection } from './sqlite-connection.ts'
import { sqliteCompiler } from './sqlite-dialect.ts'

const isOwn = sql`m.type = 'table' and m.name not like 'sqlite\\_%' escape '\\'`

const columnsQuery = sql`
  select m.name as "table", c.name as "name", c.type as "type", 1 - c."notnull" as "nullable",
    c.dflt_value as "default", c.pk as "keyPosition"
  from sqlite_schema m, pragma_table_info(m.name) c where ${isOwn} order by m.name, c.cid`

const indexesQuery = sql`
  select m.tbl_name as "table", m.name as "name", m.sql as "sql",
    group_concat(i.name, ',' order by i.seqno) as "columns"
  from sqlite_schema m, pragma_index_info(m.name) i where m.type = 'index' and m.sql is not null
  group by m.tbl_name, m.name, m.sql`

const referencesQuery = sql`
  select m.name as "table", f."from" as "column", f."table" as "target", lower(f.on_delete) as "onDelete"
  from sqlite_schema m, pragma_foreign_key_list(m.name) f where ${isOwn}`

/** Reads the existing tables. */
export function introspectSqlite(connection: SqliteConnection): LiveSchema {
  const ask = <R>(query: typeof isOwn) => connection.all<R>(compileStatement<R>(query, {}, sqliteCompiler))
  return buildLiveSchema({
    columns: ask<LiveRows['columns'][number]>(columnsQuery),
    indexes: ask<LiveRows['indexes'][number]>(indexesQuery),
    references: ask<LiveRows['references'][number]>(referencesQuery),
  })
}
