import { sql } from 'drizzle-orm'
import { type Columns, type Database, query, selectList } from '../../foundation/database/database.ts'
import type { ContentType } from '../../foundation/schemas/schemas.ts'
import {
  groupColumn,
  localeColumn,
  notesColumn,
  statusAtColumn,
  statusColumn,
  uniqueLocaleColumn,
} from './columns.ts'
import type { Version } from './version.ts'

const group = sql.identifier(groupColumn)
const locale = sql.identifier(localeColumn)
const status = sql.identifier(statusColumn)
const notes = sql.identifier(notesColumn)
const statusAt = sql.identifier(statusAtColumn)

const idColumns = { id: { column: 'id', kind: 'id' } } as const satisfies Columns

function versionColumns({ options }: ContentType): Columns {
  return {
    ...idColumns,
    group: { column: groupColumn, kind: 'string' },
    locale: { column: localeColumn, kind: 'string' },
    status: { column: statusColumn, kind: 'string' },
    notes: { column: notesColumn, kind: 'text' },
    statusAt: { column: statusAtColumn, kind: 'datetime' },
    createdAt: { column: 'created_at', kind: 'datetime' },
    ...(options.draftAndPublish ? { publishedAt: { column: 'published_at', kind: 'datetime' } } : {}),
  }
}

/** The queries of one type; `ids` may belong to any versions. */
export function groupQueries(type: ContentType, database: Database) {
  return { ...readQueries(type, database), ...writeQueries(type, database), ...fillQueries(type, database) }
}

function readQueries(type: ContentType, database: Database) {
  const table = sql.identifier(type.table)
  const columns = versionColumns(type)
  const present = type.options.softDelete ? sql` and deleted_at is null` : sql``
  const select = sql`select ${selectList(database, columns)} from ${table}`
  return {
    versions: query<Version>(
      database,
      (_, inList) => sql`${select} where ${group} in
        (select w.${group} from ${table} w where ${inList(sql`w.id`, 'ids', 'id')})${present} order by id`,
      columns,
    ),
    versionsOfGroup: query<Version>(
      database,
      (value) => sql`${select} where ${group} = ${value('group', 'string')}${present} order by id`,
      columns,
    ),
    ...lockQueries(type, database),
  }
}

/** Includes versions in the trash, because only existing rows can be locked. */
function lockQueries({ table: name }: ContentType, database: Database) {
  const table = sql.identifier(name)
  return {
    firsts: query<{ id: number }>(
      database,
      (_, inList) => sql`select min(m.id) as ${sql.identifier('id')} from ${table} m
        join ${table} w on w.${group} = m.${group} where ${inList(sql`w.id`, 'ids', 'id')} group by m.${group}`,
      idColumns,
    ),
    // Selects by ids alone: with a subquery, MariaDB would lock every row that it reads.
    lockRows: query<{ id: number }>(
      database,
      (_, inList) => sql`select id from ${table} ${database.dialect.byPrimaryKey}
        where ${inList(sql`id`, 'ids', 'id')} order by id ${database.dialect.forUpdate}`,
      idColumns,
    ),
  }
}

function writeQueries({ table: name }: ContentType, database: Database) {
  const table = sql.identifier(name)
  const setStatus = (isFrom: boolean) =>
    query(database, (value, inList) => {
      const wanted = value('status', 'string')
      const condition = isFrom
        ? sql`${status} = ${value('from', 'string')}`
        : sql`(${status} is null or ${status} <> ${wanted})`
      return sql`update ${table} set ${status} = ${wanted}, ${statusAt} = ${value('now', 'datetime')}
        where ${inList(sql`id`, 'ids', 'id')} and ${condition}`
    })
  return {
    setStatus: setStatus(false),
    replaceStatus: setStatus(true),
    describe: query(
      database,
      (value, inList) => sql`update ${table} set ${status} = ${value('status', 'string')},
        ${notes} = ${value('notes', 'text')}, ${statusAt} = ${value('now', 'datetime')}
        where ${inList(sql`id`, 'ids', 'id')}`,
    ),
  }
}

function fillQueries(type: ContentType, database: Database) {
  const table = sql.identifier(type.table)
  const claim = sql.identifier(uniqueLocaleColumn(type))
  const isUnclaimed = sql`${claim} is null and deleted_at is null`
  const isUnfilled = sql`${group} is null or ${locale} is null`
  const { softDelete } = type.options
  return {
    unfilled: query<{ id: number }>(
      database,
      () => sql`select id from ${table} where ${isUnfilled}${softDelete ? sql` or (${isUnclaimed})` : sql``}
        order by id limit 1`,
      idColumns,
    ),
    fillGroupOfSingle: query(
      database,
      (value) =>
        sql`update ${table} set ${group} = ${value('group', 'string')} where id = ${value('id', 'id')}`,
    ),
    // Other groups are UUIDs, so a row's id as digits cannot clash with one.
    fillGroups: query(
      database,
      () => sql`update ${table} set ${group} = cast(id as char(20)) where ${group} is null`,
    ),
    fillLocales: query(
      database,
      (value) => sql`update ${table} set ${locale} = ${value('locale', 'string')} where ${locale} is null`,
    ),
    fillClaims: softDelete
      ? query(database, () => sql`update ${table} set ${claim} = ${locale} where ${isUnclaimed}`)
      : undefined,
  }
}
