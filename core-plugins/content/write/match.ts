import { sql } from 'drizzle-orm'
import { type Query, query, type Transaction } from '../../database/database.ts'
import { AppError, type Principal } from '../../http/http.ts'
import type { ContentType } from '../../schemas/schemas.ts'
import type { Entry } from '../entry.ts'
import type { ColumnField } from '../entry-model.ts'
import { isObject } from '../payload/field-set.ts'
import type { EntryToSave } from '../services/bulk-writes-service.ts'
import type { StoredEntry } from '../write-context.ts'
import { maySee, withTheirDrafts } from './stored-entries.ts'
import type { WritableType, WriteDeps } from './write-deps.ts'
import type { RowFailure } from './write-errors.ts'

/** Finds the entries that payloads are about by an attribute that is unique. */
export interface Match {
  readonly field: ColumnField
  /** Locks the entries with these keys that the caller sees. */
  find(
    keys: readonly MatchKey[],
    principal: Principal,
    tx: Transaction,
  ): Promise<ReadonlyMap<string, StoredEntry>>
}

/** The value of the attribute in stored form, and the locale in types that have them. */
interface MatchKey {
  readonly value: unknown
  readonly locale: unknown
}

/** The keys of payloads, and those that have none or share it. */
export interface RowKeys {
  readonly failures: readonly RowFailure[]
  at(index: number): string | undefined
  of(indexes: readonly number[]): readonly MatchKey[]
}

/** @throws AppError 400 if no attribute of that name is unique */
export function matchOf(deps: WriteDeps, type: WritableType, name: string): Match {
  const field = type.model.columns.get(name)
  if (field === undefined || !isUnique(type.model.type, name)) {
    const message = `${type.model.type.name} has no attribute of this name that is unique`
    throw AppError.invalid([{ path: 'match', code: 'unique', message }])
  }
  const search = searchBy(deps, type, field)
  return {
    field,
    async find(keys, principal, tx) {
      const rows = keys.length === 0 ? [] : await search.all({ values: keys.map(({ value }) => value) }, tx)
      if (rows.length === 0) return new Map()
      const wanted = new Set(keys.map(textOf))
      const ids = rows.map(({ id }) => id)
      const found = (await type.store.loadMany(ids, tx)).filter(
        (row) => wanted.has(keyOfEntry(type, field, row)) && maySee(deps, type, row, principal),
      )
      const stored = await withTheirDrafts(type, found, tx)
      return new Map(stored.map((each) => [keyOfEntry(type, field, each.row), each]))
    },
  }
}

function isUnique({ attributes, indexes }: ContentType, name: string): boolean {
  const attribute = attributes.get(name)
  if (attribute !== undefined && 'unique' in attribute && attribute.unique === true) return true
  return indexes.some(({ fields, type }) => {
    const others = fields.filter((field) => field !== 'locale')
    return type === 'unique' && others.length === 1 && others[0] === name
  })
}

const searches = new WeakMap<WritableType, Map<string, Query<{ id: number }>>>()

function searchBy({ database }: WriteDeps, type: WritableType, { column, kind }: ColumnField) {
  const ofType = searches.get(type) ?? new Map<string, Query<{ id: number }>>()
  searches.set(type, ofType)
  const search =
    ofType.get(column) ??
    query<{ id: number }>(
      database,
      (_, inList) =>
        sql`select id from ${sql.identifier(type.model.type.table)} where ${inList(sql.identifier(column) as never, 'values', kind)}`,
      { id: { column: 'id', kind: 'id' } },
    )
  ofType.set(column, search)
  return search
}

function keyOfEntry({ model: { type } }: WritableType, { name }: ColumnField, row: Entry): string {
  return textOf({ value: row[name], locale: type.options.i18n.enabled ? row.locale : null })
}

const textOf = ({ value, locale }: MatchKey) => JSON.stringify([value, locale ?? null])

/** The keys of payloads; without a `match` only whether they are payloads at all. */
export function keysOf(
  type: WritableType,
  match: Match | undefined,
  entries: readonly EntryToSave[],
): RowKeys {
  const failures: RowFailure[] = []
  const keys: (MatchKey | undefined)[] = []
  const firstOf = new Map<string, number>()
  entries.forEach(({ data }, index) => {
    const key = isObject(data) ? match && readKey(type, match.field, data) : notAnObject
    if (key instanceof AppError) failures.push({ index, error: key })
    if (key === undefined || key instanceof AppError || match === undefined) return
    keys[index] = key
    const first = firstOf.get(textOf(key))
    if (first === undefined) firstOf.set(textOf(key), index)
    else failures.push({ index, error: sameAs(match.field, first) })
  })
  return {
    failures,
    at: (index) => keys[index] && textOf(keys[index]),
    of: (indexes) => indexes.flatMap((index) => keys[index] ?? []),
  }
}

const notAnObject = AppError.invalid([{ path: '', code: 'type', message: 'must be a JSON object' }])

/** Undefined if the value is none of the attribute's: the write reports that. */
function readKey(
  { checker, model: { type } }: WritableType,
  { name, column }: ColumnField,
  data: Readonly<Record<string, unknown>>,
): MatchKey | AppError | undefined {
  const sent = Object.hasOwn(data, name) ? data[name] : undefined
  if (sent === undefined || sent === null) return missing(name)
  if (type.options.i18n.enabled && data.locale === undefined) return missing('locale')
  const { columns, problems } = checker.forUpdate({ [name]: sent }, {}, { isDraft: true })
  return problems.length > 0
    ? undefined
    : { value: columns[column], locale: type.options.i18n.enabled ? data.locale : null }
}

function missing(path: string): AppError {
  return AppError.invalid([{ path, code: 'required', message: 'is required: it says which entry is meant' }])
}

function sameAs({ name }: ColumnField, first: number): AppError {
  const message = `is that of number ${first}, too: an entry can be there once only`
  return AppError.invalid([{ path: name, code: 'duplicate', message }])
}
