import { sql } from 'drizzle-orm'
import { compileStatement } from '../../statements/compiled-statement.ts'
import type { Queries } from '../../statements/query-target.ts'
import { buildLiveSchema, type LiveRows } from '../../sync/live-rows.ts'
import { postgresCompiler } from './postgres-dialect.ts'

const ownTables = sql`c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')`

const columnsQuery = sql`
  select c.relname as "table", a.attname as "name", format_type(a.atttypid, a.atttypmod) as "type",
    not a.attnotnull as "nullable", pg_get_expr(d.adbin, d.adrelid) as "default",
    coalesce(array_position(k.indkey::int2[], a.attnum) + 1, 0) as "keyPosition"
  from pg_catalog.pg_class c
  join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  left join pg_catalog.pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
  left join pg_catalog.pg_index k on k.indrelid = c.oid and k.indisprimary
  where ${ownTables} order by c.relname, a.attnum`

// Bit 2 of an option means that nulls come first; only b-trees are ordered.
const indexesQuery = sql`
  select c.relname as "table", i.relname as "name",
    string_agg(a.attname, ',' order by p.position) as "columns",
    case when m.amname = 'btree' and x.indexprs is null
      then string_agg(((x.indoption[p.position - 1] & 2) / 2)::text, ',' order by p.position) end as "nullsFirst"
  from pg_catalog.pg_index x
  join pg_catalog.pg_class c on c.oid = x.indrelid
  join pg_catalog.pg_class i on i.oid = x.indexrelid
  join pg_catalog.pg_am m on m.oid = i.relam
  cross join lateral unnest(x.indkey::int2[]) with ordinality p (number, position)
  left join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum = p.number and p.number > 0
  where ${ownTables} and not x.indisprimary
  group by c.relname, i.relname, m.amname, x.indexprs`

const referencesQuery = sql`
  select c.relname as "table", f.conname as "constraint", a.attname as "column", t.relname as "target",
    case f.confdeltype when 'c' then 'cascade' when 'n' then 'set null' when 'r' then 'restrict'
      else 'no action' end as "onDelete"
  from pg_catalog.pg_constraint f
  join pg_catalog.pg_class c on c.oid = f.conrelid
  join pg_catalog.pg_class t on t.oid = f.confrelid
  join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum = f.conkey[1]
  where f.contype = 'f' and ${ownTables}`

/** Reads the existing tables of the current schema. */
export async function introspectPostgres(queries: Queries) {
  const ask = async <R>(query: typeof ownTables) =>
    queries.all<R>(compileStatement<R>(query, {}, postgresCompiler))
  return buildLiveSchema({
    columns: await ask<LiveRows['columns'][number]>(columnsQuery),
    indexes: await ask<LiveRows['indexes'][number]>(indexesQuery),
    references: await ask<LiveRows['references'][number]>(referencesQuery),
  })
}
