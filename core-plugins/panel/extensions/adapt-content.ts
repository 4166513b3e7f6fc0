import { isDeepStrictEqual } from 'node:util'
import { is, SQL } from 'drizzle-orm'
import { Type } from 'typebox'
import type {
  EntryColumn,
  EntryColumns,
  EntryLock,
  EntryMeta,
  EntryParameters,
  EntrySearch,
  EntryTable,
  MetaSelection,
  ReferenceCheck,
  Restriction,
} from '../../entries/content/content.ts'
import { type ColumnSpec, type TableSpec, tableProblems } from '../../foundation/database/database.ts'
import type { ErrorDetail } from '../../foundation/http/http.ts'
import type {
  ContentTable,
  ContentType,
  SchemaFolder,
  TypeExtension,
} from '../../foundation/schemas/schemas.ts'
import { blamedCall, type ErrorReport, reportedCall, reportedInstead } from './report-errors.ts'

/** The plugin whose contributions are adapted. */
interface Owner {
  readonly plugin: string
  readonly space: string
  readonly report: ErrorReport
}

/** `my-plugin` and `myPlugin` as `my_plugin`. */
const snake = (name: string) =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll('-', '_')
    .toLowerCase()

/** Whether a field or parameter is named `shop`, `shop_<what>` or `shop<What>`. */
function isOwnName(name: unknown, space: string): boolean {
  if (typeof name !== 'string' || !/^[A-Za-z][A-Za-z0-9_]{0,62}$/.test(name)) return false
  return snake(name) === snake(space) || snake(name).startsWith(`${snake(space)}_`)
}

export function adaptSchemaFolder(space: string, { folder }: SchemaFolder): SchemaFolder {
  if (folder instanceof URL && folder.protocol === 'file:') return { folder, space }
  throw new Error('a schema folder must be `{ folder: new URL("./schemas/", import.meta.url) }`')
}

export function adaptTypeExtension(space: string, extension: TypeExtension): TypeExtension {
  if (typeof extension.extend !== 'function') throw new Error('extend of a type extension must be a function')
  return { space, extend: (type) => extension.extend(type) }
}

/** Allows the plugin to add columns of its own and change indexes, and nothing else. */
export function adaptContentTable({ plugin, space }: Owner, amend: ContentTable): ContentTable {
  if (typeof amend !== 'function') throw new Error('what amends tables of content types must be a function')
  return blamedCall(plugin, (type: ContentType, table: TableSpec) => {
    const amended = amend(type, table)
    const problems = Array.isArray(amended?.columns)
      ? [...amendmentProblems(space, table, amended), ...tableProblems(amended)]
      : ['it is no table']
    if (problems.length === 0) return amended
    throw new Error(`what it makes of the table ${table.name} cannot be made: ${problems.join('; ')}`)
  })
}

function amendmentProblems(space: string, table: TableSpec, amended: TableSpec): string[] {
  const { columns, indexes: _, ...rest } = table
  const { columns: others, indexes: __, references = [], ...changed } = amended
  const { references: given = [], ...kept } = rest
  const added = others.filter(({ name }) => !columns.some((column) => column.name === name))
  const isKept = (column: ColumnSpec) => others.some((other) => isDeepStrictEqual(other, column))
  const names = new Set(added.map(({ name }) => name))
  return [
    ...(isDeepStrictEqual(kept, changed) ? [] : ['only columns, indexes and references can be added to it']),
    ...columns.filter((each) => !isKept(each)).map(({ name }) => `${name} is not the plugin's to change`),
    ...given
      .filter((each) => !references.some((other) => isDeepStrictEqual(other, each)))
      .map(({ column }) => `the reference of ${column} is not the plugin's to change`),
    ...references
      .filter((each) => !given.some((other) => isDeepStrictEqual(other, each)) && !names.has(each.column))
      .map(({ column }) => `${column} is not the plugin's to make a reference`),
    ...added.flatMap((column) => columnProblems(space, column)),
  ]
}

/** The prefix of the plugin's columns; attributes never begin with an underscore, so they cannot collide. */
const columnPrefix = (space: string) => `_${snake(space)}_`

function columnProblems(space: string, { name, nullable, default: given }: ColumnSpec): string[] {
  const prefix = columnPrefix(space)
  return [
    ...(String(name).startsWith(prefix) ? [] : [`the column ${name} must be named ${prefix}<what>`]),
    ...(nullable === true || (given ?? null) !== null
      ? []
      : [`the column ${name} must be nullable or have a default, as entries are written without it`]),
  ]
}

/** Checks the columns that the plugin returns for each type. */
export function adaptEntryColumns({ plugin, space }: Owner, columnsOf: EntryColumns): EntryColumns {
  if (typeof columnsOf !== 'function') throw new Error('what adds columns to entries must be a function')
  return blamedCall(plugin, (type: ContentType) => {
    const columns = columnsOf(type)
    if (!Array.isArray(columns)) throw new Error(`the columns that it adds to ${type.name} must be a list`)
    const problems = columns.flatMap((column) => entryColumnProblems(space, type, column))
    if (problems.length > 0) throw new Error(problems.join('; '))
    return columns
  })
}

function entryColumnProblems(space: string, { attributes, name: type }: ContentType, added: EntryColumn) {
  const { column, field, isShown } = added ?? {}
  const prefix = columnPrefix(space)
  const clash = [...attributes.keys()].find((name) => snake(name) === snake(String(field)))
  return [
    ...(String(column).startsWith(prefix) ? [] : [`the column ${column} must be named ${prefix}<what>`]),
    ...(isOwnName(field, space) ? [] : [`the field ${field} must be named ${snake(space)}_<what>`]),
    ...(clash === undefined ? [] : [`the field ${field} is the attribute ${clash} of ${type} already`]),
    ...(typeof isShown === 'boolean' ? [] : [`isShown of the column ${column} must be true or false`]),
  ]
}

export function adaptEntryParameters(owner: Owner, contributed: EntryParameters): EntryParameters {
  const { space } = owner
  const { parameters } = contributed
  if (typeof parameters !== 'object' || parameters === null) throw new Error('parameters must be an object')
  const foreign = Object.keys(parameters).find((name) => !isOwnName(name, space))
  if (foreign !== undefined) {
    throw new Error(`the query parameter ${foreign} must be named ${snake(space)} or ${snake(space)}_<what>`)
  }
  return { parameters: { ...parameters }, ...adaptRestricting(owner, contributed, 'the query parameters') }
}

export function adaptEntrySearch(owner: Owner, search: EntrySearch): EntrySearch {
  return adaptRestricting(owner, search, 'the search')
}

interface Matching {
  matches(type: ContentType): boolean
}

/** Calls the plugin's function once per type at startup, so that an error disables the plugin instead of failing requests. */
function matchesOnce(plugin: string, contributed: Matching): Matching['matches'] {
  const known = new WeakMap<ContentType, boolean>()
  return blamedCall(plugin, (type: ContentType) => {
    const isMatch = known.get(type) ?? contributed.matches(type) === true
    known.set(type, isMatch)
    return isMatch
  })
}

interface Restricting<Request> extends Matching {
  restrict(request: Request): Restriction | undefined
}

function adaptRestricting<Request extends { readonly problems: ErrorDetail[] }>(
  { plugin, report }: Owner,
  contributed: Restricting<Request>,
  where: string,
): Restricting<Request> {
  assertFunctions(contributed, ['matches', 'restrict'])
  return {
    matches: matchesOnce(plugin, contributed),
    restrict: reportedCall(
      `${where} of the plugin`,
      (request: Request) => {
        const problems: ErrorDetail[] = []
        const restriction = contributed.restrict({ ...request, problems })
        assertDetails(problems)
        request.problems.push(...problems)
        return restriction === undefined ? undefined : soundRestriction(plugin, restriction)
      },
      report,
    ),
  }
}

/** Begins with the plugin's name, so that a cached statement is never used for another plugin. */
const ownShape = (plugin: string, shape: string) => `${plugin} ${JSON.stringify(shape)}`

function soundRestriction(plugin: string, restriction: Restriction): Restriction {
  const { shape, values, where, sharing } = (restriction ?? {}) as Partial<Restriction>
  if (typeof shape !== 'string') throw new Error('the shape of a restriction must be a string')
  if (!Array.isArray(values) || values.some((each) => typeof each?.kind !== 'string')) {
    throw new Error('the values of a restriction must be a list of `{ kind, value }`')
  }
  if (typeof where !== 'function') throw new Error('where of a restriction must be a function')
  if (sharing !== undefined && typeof sharing !== 'string') {
    throw new Error('sharing of a restriction must be the name of a column')
  }
  return {
    ...restriction,
    shape: ownShape(plugin, shape),
    where(entry) {
      const condition: unknown = where({
        ...entry,
        value(index) {
          if (values[index] === undefined) throw new Error(`a restriction has no value ${index}`)
          return entry.value(index)
        },
      })
      if (is(condition, SQL)) return condition
      throw new Error('where of a restriction must return what sql`…` makes, without a promise')
    },
  }
}

/** If the plugin's function fails, entries are returned with null for its value. */
export function adaptEntryMeta({ plugin, report }: Owner, meta: EntryMeta): EntryMeta {
  assertFunctions(meta, ['matches', 'load', 'valueOfOthers'])
  const { name, schema, selection } = meta
  if (typeof name !== 'string' || name === '') throw new Error('what _meta shows must have a name')
  const where = `${name} of _meta`
  const load = reportedInstead(
    where,
    async (...asked: Parameters<EntryMeta['load']>) => loadedBy(await meta.load(...asked)),
    report,
  )
  const valueOfOthers = reportedInstead(where, (type: ContentType) => meta.valueOfOthers(type), report)
  return {
    name,
    schema: Type.Union([schema, Type.Null({ description: 'Not known at the moment' })]),
    matches: matchesOnce(plugin, meta),
    async load(type, ids, queries, principal) {
      const loaded = await load(type, ids, queries, principal)
      return loaded ?? new Map(ids.map((id) => [id, null]))
    },
    valueOfOthers: (type) => valueOfOthers(type) ?? null,
    ...(selection && { selection: adaptSelection({ plugin, report }, selection, where) }),
  }
}

function loadedBy(loaded: ReadonlyMap<number, unknown>): ReadonlyMap<number, unknown> {
  if (loaded instanceof Map) return loaded
  throw new Error('load must answer a Map of values by the ids of entries')
}

function adaptSelection(
  { plugin, report }: Pick<Owner, 'plugin' | 'report'>,
  selection: MetaSelection,
  where: string,
): MetaSelection {
  assertFunctions(selection, ['havingOneOf', 'havingNone', 'order'])
  const { name, tellsAdminNames } = selection
  const havingOneOf: MetaSelection['havingOneOf'] = (type, values) => {
    const found = selection.havingOneOf(type, values)
    return 'problem' in found ? found : soundRestriction(plugin, found)
  }
  const order: MetaSelection['order'] = (type) => {
    const sorted = selection.order(type)
    return { ...sorted, shape: ownShape(plugin, sorted.shape) }
  }
  return {
    name,
    havingOneOf: reportedCall(where, havingOneOf, report),
    havingNone: reportedCall(where, (type) => soundRestriction(plugin, selection.havingNone(type)), report),
    order: reportedCall(where, order, report),
    ...(tellsAdminNames && {
      tellsAdminNames: reportedCall(where, (values) => tellsAdminNames.call(selection, values), report),
    }),
  }
}

export function adaptEntryLock({ plugin, report }: Owner, lock: EntryLock): EntryLock {
  assertFunctions(lock, ['matches', 'lock'])
  return {
    matches: matchesOnce(plugin, lock),
    lock: reportedCall('the lock of the plugin', (...request) => lock.lock(...request), report),
  }
}

export function adaptEntryTable({ plugin }: Owner, entryTable: EntryTable): EntryTable {
  assertFunctions(entryTable, ['matches'])
  const { table } = entryTable
  if (table?.columns?.type === undefined || table.columns.entryId === undefined) {
    throw new Error('a table of entries must be declared by defineTable, with columns type and entryId')
  }
  return { table, matches: matchesOnce(plugin, entryTable) }
}

export function adaptReferenceCheck({ report }: Owner, check: ReferenceCheck): ReferenceCheck {
  assertFunctions(check, ['check'])
  if (typeof check.target !== 'string') throw new Error('target of a reference check must name a type')
  const where = `the check of references to ${check.target}`
  const call: ReferenceCheck['check'] = async (...request) => {
    const problems = await check.check(...request)
    assertDetails(problems)
    return problems
  }
  return { target: check.target, check: reportedCall(where, call, report) }
}

function assertDetails(problems: readonly ErrorDetail[]): void {
  const isDetail = (each: Partial<ErrorDetail> | undefined) =>
    [each?.path, each?.code, each?.message].every((text) => typeof text === 'string')
  if (Array.isArray(problems) && problems.every(isDetail)) return
  throw new Error('problems must be a list of `{ path, code, message }`, all of them texts')
}

function assertFunctions<T extends object>(value: T, names: readonly (keyof T & string)[]): void {
  const wrong = names.find((name) => typeof value?.[name] !== 'function')
  if (wrong !== undefined) throw new Error(`${wrong} must be a function`)
}
