import { sql } from 'drizzle-orm'
import { validate } from 'uuid'
import { isObject } from '../../../../kernel/index.ts'
import { type Query, query, type Transaction } from '../../../foundation/database/database.ts'
import { AppError, type Principal } from '../../../foundation/http/http.ts'
import { isUnique } from '../../../foundation/schemas/schemas.ts'
import type { ColumnField } from '../entry/entry-model.ts'
import { assertConverted } from '../entry/waiting-conversion.ts'
import type { StoredEntry } from '../write-context.ts'
import type { EntryToSave } from './saving/entry-to-save.ts'
import { maySee, withTheirDrafts } from './stored-entries.ts'
import { assertEnforced } from './waiting-uniqueness.ts'
import type { WritableType, WriteDeps } from './write-deps.ts'
import type { RowFailure } from './write-errors.ts'

/** Finds the entries that payloads refer to, by the value of a unique field. */
export interface Match {
  readonly field: ColumnField
  /** Whether the field's values are unique only within each locale. */
  readonly isPerLocale: boolean
  /** Locks the entries with these keys that the caller may see. */
  find(
    keys: readonly MatchKey[],
    principal: Principal,
    tx: Transaction,
  ): Promise<ReadonlyMap<string, StoredEntry>>
}

/** The value of the field in stored form, and the locale if values are unique only within each locale. */
interface MatchKey {
  readonly value: unknown
  readonly locale: unknown
}

/** The keys of payloads; `failures` are payloads without a key or with one that another payload has. */
export interface RowKeys {
  readonly failures: readonly RowFailure[]
  at(index: number): string | undefined
  of(indexes: readonly number[]): readonly MatchKey[]
}

/** @throws AppError 400 if the type has no unique field of that name; 409 if several entries have the same value nevertheless */
export function matchOf(deps: WriteDeps, type: WritableType, name: string): Match {
  const { model } = type
  const field = model.columns.get(name)
  const isIdentity = field !== undefined && field === model.uuid
  if (field === undefined || !(isIdentity || isUnique(model.type, name))) {
    const message = `${model.type.name} has no attribute of this name that is unique`
    throw AppError.invalid([{ path: 'match', code: 'unique', message }])
  }
  assertConverted(field)
  assertEnforced(deps.uniqueWaits, model.type, name)
  const search = searchBy(deps, type, field)
  const isPerLocale = !isIdentity && model.type.options.i18n.enabled
  return {
    field,
    isPerLocale,
    async find(keys, principal, tx) {
      const rows = keys.length === 0 ? [] : await search.all({ values: keys.map(({ value }) => value) }, tx)
      if (rows.length === 0) return new Map()
      const wanted = new Set(keys.map(textOf))
      const values = new Map(rows.map(({ id, value }) => [id, value]))
      // Only the UUID, which never changes, may be taken from before the lock.
      const keyOf = ({ id, ...row }: StoredEntry['row']) =>
        textOf({ value: isIdentity ? values.get(id) : row[name], locale: isPerLocale ? row.locale : null })
      const found = (await type.store.loadMany([...values.keys()], tx)).filter(
        (row) => wanted.has(keyOf(row)) && maySee(deps, type, row, principal),
      )
      const stored = await withTheirDrafts(type, found, tx)
      return new Map(stored.map((each) => [keyOf(each.row), each]))
    },
  }
}

interface SearchRow {
  readonly id: number
  readonly value: unknown
}

type Search = Query<SearchRow>

const searches = new WeakMap<WritableType, Map<string, Search>>()

function searchBy({ database }: WriteDeps, type: WritableType, { column, kind }: ColumnField): Search {
  const ofType = searches.get(type) ?? new Map<string, Search>()
  searches.set(type, ofType)
  const value = sql.identifier(column)
  const search: Search =
    ofType.get(column) ??
    query<SearchRow>(
      database,
      (_, inList) =>
        sql`select id, ${database.dialect.select(sql`${value}`, kind)} as ${sql.identifier('value')}
          from ${sql.identifier(type.model.type.table)} where ${inList(sql`${value}`, 'values', kind)}`,
      { id: { column: 'id', kind: 'id' }, value: { column: 'value', kind } },
    )
  ofType.set(column, search)
  return search
}

const textOf = ({ value, locale }: MatchKey) => JSON.stringify([value, locale ?? null])

/** The keys of payloads. Without a `match`, checks only that payloads are objects and their UUIDs valid. */
export function keysOf(
  type: WritableType,
  match: Match | undefined,
  entries: readonly EntryToSave[],
): RowKeys {
  const failures: RowFailure[] = []
  const keys: (MatchKey | undefined)[] = []
  const firstOf = new Map<string, number>()
  entries.forEach((entry, index) => {
    const sought = entry.id === undefined ? match : undefined
    const key = problemOf(entry) ?? (sought && readKey(type, sought, entry))
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

function problemOf({ data, uuid }: EntryToSave): AppError | undefined {
  if (!isObject(data)) return notAnObject
  return uuid === undefined || isUuid(uuid) ? undefined : notAUuid
}

const isUuid = (text: string) => validate(text) && text === text.toLowerCase()

const notAUuid = AppError.invalid([{ path: 'uuid', code: 'format', message: 'must be a UUID in lower case' }])

const notAnObject = AppError.invalid([{ path: '', code: 'type', message: 'must be a JSON object' }])

/** Undefined if the value is not valid for the field: the write reports that. */
function readKey(
  { checker, model }: WritableType,
  { field, isPerLocale }: Match,
  { data: payload, uuid }: EntryToSave,
): MatchKey | AppError | undefined {
  const { name, column } = field
  const data = payload as Readonly<Record<string, unknown>>
  if (field === model.uuid) return uuid === undefined ? missing(name) : { value: uuid, locale: null }
  const sent = Object.hasOwn(data, name) ? data[name] : undefined
  if (sent === undefined || sent === null) return missing(name)
  if (isPerLocale && data.locale === undefined) return missing('locale')
  const { columns, problems } = checker.forUpdate({ [name]: sent }, {}, { isDraft: true })
  return problems.length > 0
    ? undefined
    : { value: columns[column], locale: isPerLocale ? data.locale : null }
}

function missing(path: string): AppError {
  return AppError.invalid([{ path, code: 'required', message: 'is required: it says which entry is meant' }])
}

function sameAs({ name }: ColumnField, first: number): AppError {
  const message = `is that of number ${first}, too: an entry can be there once only`
  return AppError.invalid([{ path: name, code: 'duplicate', message }])
}
