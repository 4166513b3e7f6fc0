import { type SQL, sql } from 'drizzle-orm'
import {
  type ColumnKind,
  type ColumnKinds,
  convertedValue,
  type Row,
} from '../../../foundation/database/database.ts'
import { isReference } from '../../../foundation/schemas/schemas.ts'
import type { Entry } from '../entry/entry.ts'
import type { ColumnField, EntryModel, LinkField } from '../entry/entry-model.ts'
import { linkedIdsSql, referenceSql, storedIdsSql } from '../query/condition-sql.ts'
import type { SqlContext } from '../query/sql-context.ts'
import type { ChosenStandIns, StandInsOfField } from '../query/stand-ins.ts'
import { columnOf } from '../query/visibility.ts'
import type { ShownValue } from '../shown-values.ts'

/**
 * Turns the row into an entry, in place: nothing else refers to the row, and copying each one would cost more than reading it.
 */
export type ToEntry = (row: Row) => Entry

/** A select list whose rows already are entries, except for to-many fields and values that do not fit the components' schema. */
export interface EntrySelect {
  /** `t0."title" as "title", …` */
  readonly columns: SQL
  readonly kinds: ColumnKinds
  readonly toEntry: ToEntry
  /** The names of everything selected. */
  readonly names: readonly string[]
}

/** What to select of entries. */
export interface SelectedFields {
  /** Undefined: all fields that entries show. */
  readonly fields?: ReadonlySet<string> | undefined
  /** If a field has stand-ins, its ids are selected even if the entries are hidden, since others may be shown instead. */
  readonly standInsOf?: StandInsOfField | undefined
  /** Selects every stored id, including those hidden from callers; for writes. */
  readonly isAsStored?: boolean
}

/** Selects the shown fields of a type, or some of them. */
export function entrySelect(
  model: EntryModel,
  alias: string,
  deps: SqlContext,
  { fields, standInsOf, isAsStored = false }: SelectedFields = {},
): EntrySelect {
  const hidden = [model.deletedAt, model.uuid].filter((field) => field !== undefined)
  const selected = [...model.stored, ...hidden].filter(({ name }) => (fields ?? model.shownNames).has(name))
  const kinds: Record<string, ColumnKind> = {}
  const columns = selected.map((field) => {
    if ('column' in field) kinds[field.name] = field.held?.()?.kind ?? field.kind
    const value = isAsStored
      ? storedSql(field, alias, deps)
      : fieldSql(field, alias, deps, standInsOf?.(field))
    return sql`${value} as ${sql.identifier(field.name)}`
  })
  const names = selected.map(({ name }) => name)
  return { columns: sql.join(columns, sql`, `), kinds, toEntry: compileToEntry(selected), names }
}

function fieldSql(
  field: ColumnField | LinkField,
  alias: string,
  deps: SqlContext,
  standIns: ChosenStandIns | undefined,
): SQL {
  if ('link' in field) return linkedIdsSql(field, alias, deps, standIns)
  if (isReference(field.attribute)) return referenceSql(field, alias, deps, standIns)
  return columnSql(field, alias, deps)
}

function storedSql(field: ColumnField | LinkField, alias: string, deps: SqlContext): SQL {
  return 'link' in field ? storedIdsSql(field, alias, deps) : columnSql(field, alias, deps)
}

function columnSql(field: ColumnField, alias: string, { dialect }: SqlContext): SQL {
  const kind = field.held?.()?.kind ?? field.kind
  return dialect.select(dialect.asDeclared(columnOf(alias, field.column), kind), kind)
}

/** To-many fields are read as ids joined by commas. */
function compileToEntry(selected: readonly (ColumnField | LinkField)[]): ToEntry {
  const linkNames = selected.filter((field) => 'link' in field).map(({ name }) => name)
  const holders = selected.flatMap((field) =>
    'fit' in field && field.fit !== undefined ? [{ name: field.name, fit: field.fit }] : [],
  )
  const converted = selected
    .filter((field) => 'column' in field)
    .filter((field) => field.held?.() !== undefined)
  // Looked up with the first row, because selects are compiled before all plugins have contributed.
  let shown: readonly ShownField[] | undefined
  return (row) => {
    for (const field of converted) row[field.name] = convertedValue(row[field.name], field)
    for (const name of linkNames) row[name] = splitIds(row[name])
    for (const { name, fit } of holders) row[name] = fit(row[name])
    shown ??= shownFields(selected)
    for (const { name, of } of shown) row[name] = of(row[name])
    return row as Entry
  }
}

type ShownField = Pick<ShownValue, 'of'> & { readonly name: string }

function shownFields(selected: readonly (ColumnField | LinkField)[]): ShownField[] {
  return selected.flatMap((field) => {
    const shown = 'column' in field ? field.shown?.() : undefined
    return shown === undefined ? [] : [{ name: field.name, of: (stored: unknown) => shown.of(stored) }]
  })
}

const comma = 0x2c
const zero = 0x30

/** Parses the digits itself for speed: every entry of every page has such texts, mostly of one or two ids. */
function splitIds(text: unknown): number[] {
  if (typeof text !== 'string' || text === '') return []
  const ids: number[] = []
  let id = 0
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code !== comma) id = id * 10 + code - zero
    else {
      ids.push(id)
      id = 0
    }
  }
  ids.push(id)
  return ids
}
