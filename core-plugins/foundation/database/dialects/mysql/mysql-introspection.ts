import { sql } from 'drizzle-orm'
import { compileStatement } from '../../statements/compiled-statement.ts'
import type { Queries } from '../../statements/query-target.ts'
import { buildLiveSchema, type LiveRows } from '../../sync/live-rows.ts'
import { mysqlCompiler } from './mysql-dialect.ts'

const isOwn = sql`table_schema = database()`

// MariaDB reports a display width for integers, which MySQL has dropped, and NULL for no default. Every part filters
// by database, because MariaDB otherwise reads the files of all databases, once for each row.
const columnsQuery = sql`
  select c.table_name as "table", c.column_name as "name",
    case when c.data_type = 'bigint' then 'bigint' else c.column_type end as "type",
    c.is_nullable = 'YES' as "nullable", nullif(c.column_default, 'NULL') as "default",
    coalesce(k.position, 0) as "keyPosition"
  from information_schema.columns c
  join (select table_name from information_schema.tables where ${isOwn} and table_type = 'BASE TABLE') t
    on t.table_name = c.table_name
  left join (select table_name, column_name, seq_in_index as position from information_schema.statistics
    where ${isOwn} and index_name = 'PRIMARY') k
    on k.table_name = c.table_name and k.column_name = c.column_name
  where c.table_schema = database()
  order by c.table_name, c.ordinal_position`

const indexesQuery = sql`
  select table_name as "table", index_name as "name",
    group_concat(column_name order by seq_in_index separator ',') as "columns"
  from information_schema.statistics where ${isOwn} and index_name <> 'PRIMARY'
  group by table_name, index_name`

const referencesQuery = sql`
  select k.table_name as "table", k.constraint_name as "constraint", k.column_name as "column",
    k.referenced_table_name as "target", lower(r.delete_rule) as "onDelete"
  from information_schema.key_column_usage k
  join (select table_name, constraint_name, delete_rule from information_schema.referential_constraints
    where constraint_schema = database()) r
    on r.constraint_name = k.constraint_name and r.table_name = k.table_name
  where k.table_schema = database() and k.referenced_table_name is not null`

/** Reads the existing tables of the database. */
export async function introspectMysql(queries: Queries) {
  const ask = async <R>(query: typeof isOwn) => queries.all<R>(compileStatement<R>(query, {}, mysqlCompiler))
  return buildLiveSchema({
    columns: await ask<LiveRows['columns'][number]>(columnsQuery),
    indexes: await ask<LiveRows['indexes'][number]>(indexesQuery),
    references: await ask<LiveRows['references'][number]>(referencesQuery),
  })
}
