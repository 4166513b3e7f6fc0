import { type SQL, sql } from 'drizzle-orm'
import type {
  ColumnKind,
  Database,
  Dialect,
  Row,
  Statement,
  Values,
} from '../../../foundation/database/database.ts'
import type { ContentType } from '../../../foundation/schemas/schemas.ts'
import type { Entry } from '../entry/entry.ts'
import { versionColumn } from '../entry/version.ts'
import type { Slots } from '../query/condition.ts'
import { conditionSql } from '../query/condition-sql.ts'
import { afterCursor } from '../query/cursor.ts'
import type { PopulateTree } from '../query/populate.ts'
import type { ReadQuery } from '../query/read-query.ts'
import { restrictionSql } from '../query/restriction.ts'
import { orderOf, type SortKey } from '../query/sort.ts'
import { type SqlContext, sqlContext, tableAs } from '../query/sql-context.ts'
import { standInsOfFields } from '../query/stand-ins.ts'
import { columnOf, isPublished, type Visibility, visibleWhere } from '../query/visibility.ts'
import { isCostlyPick } from '../query/weight.ts'
import { newShape, type ReadShape } from '../read-gate.ts'
import type { ReadSelection } from '../read-observer.ts'
import { createDraftReader, type DraftReader } from './draft-reader.ts'
import { entrySelect, type ToEntry } from './entry-select.ts'
import { createMetaReader, type MetaReader } from './meta-reader.ts'
import { createPopulator, type Populator } from './populator.ts'
import { createPruner, type Pruner } from './pruner.ts'
import type { ReadDeps } from './read-deps.ts'
import { compileInputs, type ReadInputs, selectionOf } from './read-inputs.ts'

/** The statements for all queries of one shape, by callers with the same visibility. */
export interface CompiledRead {
  readonly rows: Statement
  /** The rows that follow all those of `rows`; run only if `rows` does not fill the page. */
  readonly rest: Statement | undefined
  readonly total: Statement<{ total: number }> | undefined
  /** Costly if one of these statements may take the database a long time. */
  readonly shape: ReadShape
  readonly toEntry: ToEntry
  /** Names of fields selected only for the cursor, not to be shown. */
  readonly hiddenNames: readonly string[]
  /** Set if entries are shown with their drafts applied. */
  readonly drafts: DraftReader | undefined
  readonly pruner: Pruner | undefined
  readonly populator: Populator | undefined
  /** Set if entries are shown with metadata from plugins. */
  readonly meta: MetaReader | undefined
  /** What the answers depend on. */
  readonly inputs: ReadInputs
  /** The selection of entries that a list with the query's values consists of. */
  selectionOf(query: ReadQuery): ReadSelection
}

/** The alias of the table whose entries are read. */
export const alias = 't0'

/** Slots of a page; the others are numbered. */
export const limitSlot = 'limit'
export const offsetSlot = 'offset'
export const idSlot = 'id'

/** Statements for a list. */
export function compileList(query: ReadQuery, visibility: Visibility, deps: ReadDeps): CompiledRead {
  const { dialect } = deps.database
  const tables = sqlContext({ ...deps, dialect, visibility })
  const conditions = listConditions(query, visibility, tables)
  const position = query.cursor
  const after =
    position === undefined || position === null
      ? undefined
      : afterCursor(position, query.sort, alias, dialect)
  const limit = sql` limit ${dialect.rowCount(limitSlot)}`
  const offset = query.cursor === undefined ? sql` offset ${dialect.rowCount(offsetSlot)}` : sql``
  const sortNames = query.cursor === undefined ? [] : query.sort.map(({ field }) => field.name)
  const shownAlias = tables.nextAlias()
  const select = selectOf(query, { alias: shownAlias, needed: sortNames }, tables)
  const found = orderOf(query.sort, alias, tables)
  const shown = orderOf(query.sort, shownAlias, tables)
  const isCostly = isCostlyRead(query, query.sort)
  // The page is selected by ids alone, so that shown fields are read only for the entries on it.
  const rowsWhere = (further: SQL | undefined) => {
    const all = further === undefined ? conditions : [...conditions, further]
    const [id, shownId] = [columnOf(alias, 'id'), columnOf(shownAlias, 'id')]
    const page = sql`select ${id} as ${sql.identifier('id')} from ${tableAs(query.model, alias)}${found.joins}${where(all)} order by ${found.keys}${limit}${offset}`
    const table = tableAs(query.model, shownAlias)
    const from = dialect.fromPage(page, { table, id: shownId, joins: shown.joins })
    const rows = sql`select ${select.columns} ${from} order by ${shown.keys}`
    return deps.database.prepare<Row>(rows, select.kinds, { isCostly })
  }
  return {
    ...select.reading,
    rows: rowsWhere(after?.next),
    rest: after?.rest === undefined ? undefined : rowsWhere(after.rest),
    total: isCounted(query) ? compileTotal(query, conditions, deps.database) : undefined,
    // Costly lists are counted afterwards, and only if necessary.
    shape: newShape({ isCostly, statements: isCounted(query) && !isCostly ? 2 : 1 }),
    drafts: createDraftReader(query, visibility, deps),
    pruner: query.showsIds ? createPruner(query.model, 'components', visibility, deps) : undefined,
    populator: createPopulator(query.model, query, visibility, deps),
    meta: createMetaReader(query, deps),
    ...dependenciesOf(query, visibility, deps),
  }
}

/** A statement for the id of a single type's entry: the first one that matches the query. */
export function compileSingleId(
  query: ReadQuery,
  visibility: Visibility,
  deps: ReadDeps,
): Statement<{ id: number }> {
  const { database } = deps
  const id = columnOf(alias, 'id')
  const tables = sqlContext({ ...deps, dialect: database.dialect, visibility })
  const from = sql`select ${id} as ${sql.identifier('id')} from ${tableAs(query.model, alias)}`
  const text = sql`${from}${where(listConditions(query, visibility, tables))} order by ${id} limit 1`
  return database.prepare<{ id: number }>(text, { id: 'id' })
}

/** The read that finds the id of a single type's entry for a caller. */
export function compileSingle(query: ReadQuery, visibility: Visibility, deps: ReadDeps): CompiledRead {
  return {
    rows: compileSingleId(query, visibility, deps),
    ...{ rest: undefined, total: undefined, drafts: undefined, pruner: undefined, populator: undefined },
    meta: undefined,
    shape: newShape({ isCostly: false, statements: 1 }),
    ...{ toEntry: (row) => row as Entry, hiddenNames: [] },
    ...dependenciesOf(query, visibility, deps),
  }
}

/** A statement for one entry, by the slot `id`. */
export function compileFind(query: ReadQuery, visibility: Visibility, deps: ReadDeps): CompiledRead {
  const { dialect } = deps.database
  const tables = sqlContext({ ...deps, dialect, visibility })
  const byId = namedWhere(query, visibility, tables)
  const select = selectOf(query, { alias, needed: [versionColumn] }, tables)
  const rows = sql`select ${select.columns} from ${tableAs(query.model, alias)}${where([byId, ...listConditions(query, visibility, tables)])}`
  return {
    ...select.reading,
    rows: deps.database.prepare<Row>(rows, select.kinds),
    rest: undefined,
    total: undefined,
    shape: newShape({ isCostly: false, statements: 1 }),
    drafts: createDraftReader(query, visibility, deps),
    pruner: query.showsIds ? createPruner(query.model, 'components', visibility, deps) : undefined,
    populator: createPopulator(query.model, query, visibility, deps),
    meta: createMetaReader(query, deps),
    ...dependenciesOf(query, visibility, deps),
  }
}

function dependenciesOf(
  query: ReadQuery,
  visibility: Visibility,
  deps: ReadDeps,
): Pick<CompiledRead, 'inputs' | 'selectionOf'> {
  return {
    inputs: compileInputs(query, visibility, deps),
    selectionOf: (asked) => selectionOf(asked, visibility, deps),
  }
}

/** Whether the page includes a total. */
export function isCounted(query: ReadQuery): boolean {
  return query.cursor === undefined && query.withTotal
}

/** The values of a query in the form the database accepts. */
export function bindSlots(slots: Slots, database: Database): Values {
  const { dialect } = database
  return Object.fromEntries(
    slots.values.map(({ name, kind, value, form }) => [name, bindForm[form](dialect, value, kind)]),
  )
}

const bindForm = {
  value: (dialect: Dialect, value: unknown, kind: ColumnKind) => dialect.bind(value, kind),
  list: (dialect: Dialect, value: unknown, kind: ColumnKind) =>
    dialect.list(value as readonly unknown[], kind),
  path: (dialect: Dialect, value: unknown) => dialect.json.path(value as readonly string[]),
}

/** Selects the shown fields of the entries with table alias `alias`, plus `needed`. */
function selectOf(query: ReadQuery, { alias, needed }: SelectedEntries, deps: SqlContext) {
  const { fields, model, deleted } = query
  const asked = fields === undefined ? [...model.shownNames] : [...fields, ...fieldsOf(query.populate)]
  const shown = deleted && model.deletedAt !== undefined ? [...asked, model.deletedAt.name] : asked
  const hiddenNames = needed.filter((name) => !shown.includes(name))
  const { columns, kinds, toEntry } = entrySelect(model, alias, deps, {
    fields: new Set([...shown, ...hiddenNames]),
    standInsOf: standInsOfFields(query.populate, query.standIns, deps.models),
  })
  return { columns, kinds, reading: { toEntry, hiddenNames } }
}

interface SelectedEntries {
  readonly alias: string
  readonly needed: readonly string[]
}

function fieldsOf(tree: PopulateTree): string[] {
  return [...tree.values()].map(({ field }) => field)
}

function where(conditions: readonly SQL[]): SQL {
  return conditions.length === 0 ? sql`` : sql` where ${sql.join([...conditions], sql` and `)}`
}

function compileTotal(query: ReadQuery, conditions: readonly SQL[], database: Database) {
  const from = tableAs(query.model, alias)
  const text = sql`select count(*) as ${sql.identifier('total')} from ${from}${where(conditions)}`
  return database.prepare<{ total: number }>(text, { total: 'integer' }, { isCostly: isCostlyRead(query) })
}

function isCostlyRead({ condition, restrictions }: ReadQuery, sort?: readonly SortKey[]): boolean {
  return isCostlyPick(condition, sort) || restrictions.some(({ restriction }) => restriction.isCostly)
}

/** The conditions for all entries that match a query and are visible to the caller. */
export function listConditions(query: ReadQuery, visibility: Visibility, deps: SqlContext): SQL[] {
  const { type } = query.model
  const conditions = [
    query.deleted ? deletedWhere(type) : visibleWhere(type, alias, visibility, deps.dialect),
    publishedWhere(query, visibility, deps),
    query.condition === undefined ? undefined : sql`(${conditionSql(query.condition, alias, deps)})`,
    ...restrictionsOf(query, visibility, deps),
  ]
  return conditions.filter((condition) => condition !== undefined)
}

/** Restrictions may depend on other entries; those count if the read may show them, regardless of the other filters. */
function restrictionsOf(query: ReadQuery, visibility: Visibility, deps: SqlContext): SQL[] {
  const { model, restrictions, published } = query
  const isPublishedOnly = published === true && model.type.options.draftAndPublish
  const shown = (other: string) =>
    joinWhere([
      visibleWhere(model.type, other, visibility, deps.dialect),
      isPublishedOnly && visibility.seesDrafts(model.type) ? isPublished(other, deps.dialect) : undefined,
    ])
  return restrictions.map(
    (restriction) =>
      sql`(${restrictionSql(restriction, alias, { model, dialect: deps.dialect, nextAlias: () => deps.nextAlias(), shown })})`,
  )
}

function joinWhere(conditions: readonly (SQL | undefined)[]): SQL | undefined {
  const present = conditions.filter((condition) => condition !== undefined)
  return present.length === 0 ? undefined : sql.join(present, sql` and `)
}

/**
 * The entry with the id or, with `sharing`, the entries that share its value, provided that the named entry is visible itself.
 */
function namedWhere({ model, restrictions }: ReadQuery, visibility: Visibility, deps: SqlContext): SQL {
  const id = deps.dialect.placeholder(idSlot, 'id')
  const sharing = restrictions.find(({ restriction }) => restriction.sharing !== undefined)?.restriction
    .sharing
  if (sharing === undefined) return sql`${columnOf(alias, 'id')} = ${id}`
  const named = deps.nextAlias()
  const where = joinWhere([
    sql`${columnOf(named, 'id')} = ${id}`,
    visibleWhere(model.type, named, visibility, deps.dialect),
  ])
  return sql`${columnOf(alias, sharing)} = (select ${columnOf(named, sharing)} from ${tableAs(model, named)} where ${where})`
}

function deletedWhere(type: ContentType): SQL {
  return type.options.softDelete ? sql`${columnOf(alias, 'deleted_at')} is not null` : sql`1 = 0`
}

/** Types without drafts have only published entries. */
function publishedWhere(query: ReadQuery, visibility: Visibility, deps: SqlContext): SQL | undefined {
  const { published, model } = query
  if (published === undefined) return undefined
  if (!model.type.options.draftAndPublish) return published ? undefined : sql`1 = 0`
  if (!published) return sql`(${isPublished(alias, deps.dialect)}) is not true`
  return visibility.seesDrafts(model.type) ? isPublished(alias, deps.dialect) : undefined
}
