import { type SQL, sql } from 'drizzle-orm'
import type { ColumnKind, ColumnKinds, Row } from '../../database/database.ts'
import type { Entry } from '../content.ts'
import { type ColumnField, type EntryModel, isReference, type LinkField } from '../entry-model.ts'
import { linkedIdsSql, referenceSql } from '../query/condition-sql.ts'
import type { SqlScope } from '../query/sql-scope.ts'
import { columnOf } from '../query/visibility.ts'

/** Makes the row an entry, in place: rows are ours alone, and copying each would cost more than reading it. */
export type ToEntry = (row: Row) => Entry

/** What to select so that a row is an entry already, but for its to-many fields and what its components lack. */
export interface EntrySelect {
  /** `t0."title" as "title", …` */
  readonly columns: SQL
  readonly kinds: ColumnKinds
  readonly toEntry: ToEntry
  /** All that is selected. */
  readonly names: readonly string[]
}

/** Selects the shown fields of a type, or those of them that `fields` names. */
export function entrySelect(
  model: EntryModel,
  alias: string,
  scope: SqlScope,
  fields?: ReadonlySet<string>,
): EntrySelect {
  const all = model.deletedAt === undefined ? model.stored : [...model.stored, model.deletedAt]
  const selected = all.filter((field) => (fields ?? model.shownNames).has(field.name))
  const kinds: Record<string, ColumnKind> = {}
  const columns = selected.map((field) => {
    if ('column' in field) kinds[field.name] = field.kind
    return sql`${fieldSql(field, alias, scope)} as ${sql.identifier(field.name)}`
  })
  const names = selected.map(({ name }) => name)
  return { columns: sql.join(columns, sql`, `), kinds, toEntry: compileToEntry(selected), names }
}

function fieldSql(field: ColumnField | LinkField, alias: string, scope: SqlScope): SQL {
  if ('link' in field) return linkedIdsSql(field, alias, scope)
  if (isReference(field.attribute)) return referenceSql(field, alias, scope)
  return scope.dialect.select(columnOf(alias, field.column), field.kind)
}

/** To-many fields come as ids joined by commas. */
function compileToEntry(selected: readonly (ColumnField | LinkField)[]): ToEntry {
  const linkNames = selected.filter((field) => 'link' in field).map(({ name }) => name)
  const holders = selected.flatMap((field) =>
    'complete' in field && field.complete !== undefined
      ? [{ name: field.name, complete: field.complete }]
      : [],
  )
  return (row) => {
    for (const name of linkNames) row[name] = splitIds(row[name])
    for (const { name, complete } of holders) complete(row[name])
    return row as Entry
  }
}

function splitIds(ids: unknown): number[] {
  return typeof ids === 'string' && ids !== '' ? ids.split(',').map(Number) : []
}
