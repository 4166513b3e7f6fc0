import { type SQL, sql } from 'drizzle-orm'
import type { Database, Row, Statement, Values } from '../../database/database.ts'
import type { ContentType, Schemas } from '../../schemas/schemas.ts'
import type { Entry } from '../content.ts'
import type { DraftsOf } from '../draft-overlay.ts'
import type { EntryModel } from '../entry-model.ts'
import type { Slots } from '../query/condition.ts'
import { conditionSql } from '../query/condition-sql.ts'
import { afterCursor } from '../query/cursor.ts'
import type { PopulateTree } from '../query/populate.ts'
import type { ReadQuery } from '../query/read-query.ts'
import { restrictionSql } from '../query/restriction.ts'
import { orderSql, type SortKey } from '../query/sort.ts'
import { type SqlScope, sqlScope, tableAs } from '../query/sql-scope.ts'
import { columnOf, isPublished, type Visibility, visibleWhere } from '../query/visibility.ts'
import { isCostlyPick } from '../query/weight.ts'
import { versionColumn } from '../version.ts'
import { createDraftReader, type DraftReader } from './draft-reader.ts'
import { entrySelect, type ToEntry } from './entry-select.ts'
import { createPopulator, type Populator } from './populator.ts'
import { createPruner, type Pruner } from './pruner.ts'
import type { ReadStages } from './read-stages.ts'

export interface ReadScope {
  readonly database: Database
  readonly models: ReadonlyMap<string, EntryModel>
  readonly schemas: Schemas
  readonly draftsOf: DraftsOf
  readonly readStages: ReadStages
}

/** The statements of all queries of one shape, for callers who may see the same. */
export interface CompiledRead {
  readonly rows: Statement
  /** What comes behind all rows of `rows`; asked only where those do not fill the page. */
  readonly rest: Statement | undefined
  readonly total: Statement<{ total: number }> | undefined
  /** Whether the database may take long for one of these. */
  readonly isCostly: boolean
  readonly toEntry: ToEntry
  /** Selected for the cursor only, not to be shown. */
  readonly hiddenNames: readonly string[]
  /** Where entries are to be shown with their drafts in them. */
  readonly drafts: DraftReader | undefined
  readonly pruner: Pruner | undefined
  readonly populator: Populator | undefined
}

/** Stands for the table whose entries are read. */
export const alias = 't0'

/** Slots of a page; the others are numbered. */
export const limitSlot = 'limit'
export const offsetSlot = 'offset'
export const idSlot = 'id'

/** Statements for a list. */
export function compileList(query: ReadQuery, visibility: Visibility, scope: ReadScope): CompiledRead {
  const { dialect } = scope.database
  const tables = sqlScope({ ...scope, dialect, visibility })
  const conditions = listConditions(query, visibility, tables)
  const position = query.cursor
  const after =
    position === undefined || position === null
      ? undefined
      : afterCursor(position, query.sort, alias, dialect)
  const limit = sql` limit ${dialect.placeholder(limitSlot, 'integer')}`
  const offset =
    query.cursor === undefined ? sql` offset ${dialect.placeholder(offsetSlot, 'integer')}` : sql``
  const sortNames = query.cursor === undefined ? [] : query.sort.map(({ field }) => field.name)
  const shownAlias = tables.nextAlias()
  const select = selectOf(query, { alias: shownAlias, needed: sortNames }, tables)
  const orderOf = (alias: string) => orderSql(query.sort, alias, dialect)
  const isCostly = isCostlyRead(query, query.sort)
  // The page is cut out by ids alone: what is shown is not even looked at for entries that are not.
  const rowsWhere = (further: SQL | undefined) => {
    const all = further === undefined ? conditions : [...conditions, further]
    const [id, shownId] = [columnOf(alias, 'id'), columnOf(shownAlias, 'id')]
    const page = sql`select ${id} as ${sql.identifier('id')} from ${tableAs(query.model, alias)}${where(all)} order by ${orderOf(alias)}${limit}${offset}`
    const from = dialect.fromPage(tableAs(query.model, shownAlias), shownId, page)
    const rows = sql`select ${select.columns} ${from} order by ${orderOf(shownAlias)}`
    return scope.database.prepare<Row>(rows, select.kinds, { isCostly })
  }
  return {
    ...select.reading,
    rows: rowsWhere(after?.next),
    rest: after?.rest === undefined ? undefined : rowsWhere(after.rest),
    total: isCounted(query) ? compileTotal(query, conditions, scope.database) : undefined,
    isCostly,
    drafts: createDraftReader(query, visibility, scope),
    pruner: query.showsIds ? createPruner(query.model, 'components', visibility, scope) : undefined,
    populator: createPopulator(query.model, query, visibility, scope),
  }
}

/** A statement for the id of a single type's entry: the first that the query means. */
export function compileSingleId(
  query: ReadQuery,
  visibility: Visibility,
  scope: ReadScope,
): Statement<{ id: number }> {
  const { database } = scope
  const id = columnOf(alias, 'id')
  const tables = sqlScope({ ...scope, dialect: database.dialect, visibility })
  const from = sql`select ${id} as ${sql.identifier('id')} from ${tableAs(query.model, alias)}`
  const text = sql`${from}${where(listConditions(query, visibility, tables))} order by ${id} limit 1`
  return database.prepare<{ id: number }>(text, { id: 'id' })
}

/** The same for the entry that a caller may see. */
export function compileSingle(query: ReadQuery, visibility: Visibility, scope: ReadScope): CompiledRead {
  return {
    rows: compileSingleId(query, visibility, scope),
    ...{ rest: undefined, total: undefined, drafts: undefined, pruner: undefined, populator: undefined },
    isCostly: false,
    ...{ toEntry: (row) => row as Entry, hiddenNames: [] },
  }
}

/** A statement for one entry, by the slot `id`. */
export function compileFind(query: ReadQuery, visibility: Visibility, scope: ReadScope): CompiledRead {
  const { dialect } = scope.database
  const tables = sqlScope({ ...scope, dialect, visibility })
  const byId = namedWhere(query, visibility, tables)
  const select = selectOf(query, { alias, needed: [versionColumn] }, tables)
  const rows = sql`select ${select.columns} from ${tableAs(query.model, alias)}${where([byId, ...listConditions(query, visibility, tables)])}`
  return {
    ...select.reading,
    rows: scope.database.prepare<Row>(rows, select.kinds),
    rest: undefined,
    total: undefined,
    isCostly: false,
    drafts: createDraftReader(query, visibility, scope),
    pruner: query.showsIds ? createPruner(query.model, 'components', visibility, scope) : undefined,
    populator: createPopulator(query.model, query, visibility, scope),
  }
}

/** Whether the page comes with a total. */
export function isCounted(query: ReadQuery): boolean {
  return query.cursor === undefined && query.withTotal
}

/** The values of a query in the form in which the database takes them. */
export function bindSlots(slots: Slots, database: Database): Values {
  const { dialect } = database
  return Object.fromEntries(
    slots.values.map(({ name, kind, value, isList }) => [
      name,
      isList ? dialect.list(value as readonly unknown[], kind) : dialect.bind(value, kind),
    ]),
  )
}

/** Selects what is shown of the entries that `alias` stands for, and `needed` besides. */
function selectOf(query: ReadQuery, { alias, needed }: SelectedEntries, scope: SqlScope) {
  const { fields, model, deleted } = query
  const asked = fields === undefined ? [...model.shownNames] : [...fields, ...fieldsOf(query.populate)]
  const shown = deleted && model.deletedAt !== undefined ? [...asked, model.deletedAt.name] : asked
  const hiddenNames = needed.filter((name) => !shown.includes(name))
  const { columns, kinds, toEntry } = entrySelect(model, alias, scope, new Set([...shown, ...hiddenNames]))
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

/** What holds for all entries that a query means and a caller may see. */
export function listConditions(query: ReadQuery, visibility: Visibility, scope: SqlScope): SQL[] {
  const { type } = query.model
  const conditions = [
    query.deleted ? deletedWhere(type) : visibleWhere(type, alias, visibility, scope.dialect),
    publishedWhere(query, visibility, scope),
    query.condition === undefined ? undefined : sql`(${conditionSql(query.condition, alias, scope)})`,
    ...restrictionsOf(query, visibility, scope),
  ]
  return conditions.filter((condition) => condition !== undefined)
}

/** Another entry than the one in question counts where the read may show it, whatever else is filtered by. */
function restrictionsOf(query: ReadQuery, visibility: Visibility, scope: SqlScope): SQL[] {
  const { model, restrictions, published } = query
  const isPublishedOnly = published === true && model.type.options.draftAndPublish
  const shown = (other: string) =>
    joinWhere([
      visibleWhere(model.type, other, visibility, scope.dialect),
      isPublishedOnly && visibility.seesDrafts(model.type) ? isPublished(other, scope.dialect) : undefined,
    ])
  return restrictions.map(
    (restriction) =>
      sql`(${restrictionSql(restriction, alias, { model, dialect: scope.dialect, nextAlias: () => scope.nextAlias(), shown })})`,
  )
}

function joinWhere(conditions: readonly (SQL | undefined)[]): SQL | undefined {
  const present = conditions.filter((condition) => condition !== undefined)
  return present.length === 0 ? undefined : sql.join(present, sql` and `)
}

/** The entry with the id, or those that share something with it: as long as it may be seen itself. */
function namedWhere({ model, restrictions }: ReadQuery, visibility: Visibility, scope: SqlScope): SQL {
  const id = scope.dialect.placeholder(idSlot, 'id')
  const sharing = restrictions.find(({ restriction }) => restriction.sharing !== undefined)?.restriction
    .sharing
  if (sharing === undefined) return sql`${columnOf(alias, 'id')} = ${id}`
  const named = scope.nextAlias()
  const where = joinWhere([
    sql`${columnOf(named, 'id')} = ${id}`,
    visibleWhere(model.type, named, visibility, scope.dialect),
  ])
  return sql`${columnOf(alias, sharing)} = (select ${columnOf(named, sharing)} from ${tableAs(model, named)} where ${where})`
}

function deletedWhere(type: ContentType): SQL {
  return type.options.softDelete ? sql`${columnOf(alias, 'deleted_at')} is not null` : sql`1 = 0`
}

/** Types without drafts have published entries only. */
function publishedWhere(query: ReadQuery, visibility: Visibility, scope: SqlScope): SQL | undefined {
  const { published, model } = query
  if (published === undefined) return undefined
  if (!model.type.options.draftAndPublish) return published ? undefined : sql`1 = 0`
  if (!published) return sql`(${isPublished(alias, scope.dialect)}) is not true`
  return visibility.seesDrafts(model.type) ? isPublished(alias, scope.dialect) : undefined
}
