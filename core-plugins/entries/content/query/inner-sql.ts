import { type SQL, sql } from 'drizzle-orm'
import type { ColumnKind } from '../../../foundation/database/database.ts'
import { isReference, isToMany } from '../../../foundation/schemas/schemas.ts'
import type { ColumnField, EntryModel } from '../entry/entry-model.ts'
import { documentSql } from './condition-sql.ts'
import type { FilteredField } from './filter-place.ts'
import { type BoundInner, hasSeveral, type InnerStep } from './inner-field.ts'
import { type SqlContext, tableAs } from './sql-context.ts'
import { heldType } from './value-filters.ts'
import { columnOf, visibleTargetWhere } from './visibility.ts'

/** A column of the values of an inner field. */
export interface InnerColumn {
  readonly value: SQL
  readonly kind: ColumnKind
}

/** The values of an inner field as rows of a statement over entries. */
export interface InnerRows {
  /** ` left join …`: rows with the values of an entry, which may repeat themselves. */
  readonly join: SQL
  /** One column; for values in JSON, one each for texts, numbers and booleans, of which at most one is not null. */
  readonly columns: readonly InnerColumn[]
  /** Set if an entry may have several rows: omits rows without a value, unless the entry has no value at all. */
  readonly where: SQL | undefined
}

/** The rows of the entries in the table with the given alias. */
export function innerRows(inner: BoundInner, alias: string, deps: SqlContext): InnerRows {
  const { joined, columns } = chainOf(inner, alias, deps)
  const join = sql.join(joined.map(({ from, on }) => sql` left join ${from} on ${on}`))
  if (!hasSeveral(inner.field)) return { join, columns, where: undefined }
  const where = sql`(${isSet(columns)} or not ${anyValue(chainOf(inner, alias, deps), deps)})`
  return { join, columns, where }
}

function anyValue({ joined: [first, ...others], columns }: Chain, { dialect }: SqlContext): SQL {
  if (first === undefined) throw new Error('several values come from another table')
  const joins = sql.join(others.map(({ from, on }) => sql` join ${from} on ${on}`))
  return dialect.json.someItem(sql`${first.from}${joins}`, sql`${first.on} and ${isSet(columns)}`)
}

function isSet(columns: readonly InnerColumn[]): SQL {
  const parts = columns.map(({ value }) => sql`(${value}) is not null`)
  return sql`(${sql.join(parts, sql` or `)})`
}

interface Joined {
  readonly from: SQL
  readonly on: SQL
}

interface Chain {
  readonly joined: readonly Joined[]
  readonly columns: readonly InnerColumn[]
}

/** The joins in order, each with aliases of its own. */
function chainOf(inner: BoundInner, entry: string, deps: SqlContext): Chain {
  const joined: Joined[] = []
  let alias = entry
  for (const [index, step] of inner.field.steps.entries()) {
    const next =
      step.kind === 'items' ? itemsOf(inner, index, alias, deps) : relatedOf(inner, index, alias, deps)
    joined.push(...next.joined)
    alias = next.alias
  }
  return { joined, columns: columnsOf(inner, alias, deps) }
}

interface Reached {
  readonly joined: readonly Joined[]
  /** The alias of what the last step joined. */
  readonly alias: string
}

function itemsOf(
  { field, paths, components }: BoundInner,
  index: number,
  alias: string,
  deps: SqlContext,
): Reached {
  const { list } = field.steps[index] as Extract<InnerStep, { kind: 'items' }>
  const { json, placeholder } = deps.dialect
  const item = deps.nextAlias()
  const from = json.items(documentSql(list.field, alias, deps.dialect), paths[index], item)
  const component = components[index]
  const on =
    component === undefined
      ? sql`1 = 1`
      : sql`${json.value(json.item(item), component.path, 'text')} = ${placeholder(component.uid, 'string')}`
  return { joined: [{ from, on }], alias: item }
}

function relatedOf({ field, paths }: BoundInner, index: number, alias: string, deps: SqlContext): Reached {
  const { found, target } = field.steps[index] as Extract<InnerStep, { kind: 'related' }>
  const { id, joined } = idOf(found, paths[index], alias, deps)
  const related = deps.nextAlias()
  return {
    joined: [...joined, { from: tableAs(target, related), on: isVisible(target, related, id, deps) }],
    alias: related,
  }
}

function isVisible(target: EntryModel, alias: string, id: SQL, deps: SqlContext): SQL {
  const visible = visibleTargetWhere(target.type, alias, deps.visibility, deps.dialect) ?? sql`1 = 1`
  return sql`${columnOf(alias, 'id')} = ${id} and ${visible}`
}

/** The id in a reference: one expression, or one id per row of a joined table. */
function idOf(
  { field }: FilteredField,
  path: string | undefined,
  alias: string,
  deps: SqlContext,
): { readonly id: SQL; readonly joined: readonly Joined[] } {
  const { json } = deps.dialect
  if ('link' in field) {
    const link = deps.nextAlias()
    const from = sql`${sql.identifier(field.link.name)} ${sql.identifier(link)}`
    const on = sql`${columnOf(link, 'source_id')} = ${columnOf(alias, 'id')}`
    return { id: columnOf(link, 'target_id'), joined: [{ from, on }] }
  }
  const { column, attribute } = field as ColumnField
  if (path === undefined) return { id: columnOf(alias, column), joined: [] }
  const document = documentSql(field as ColumnField, alias, deps.dialect)
  if (!isReference(attribute) || !isToMany(attribute)) {
    return { id: json.value(document, path, 'id'), joined: [] }
  }
  const item = deps.nextAlias()
  return { id: json.itemId(item), joined: [{ from: json.items(document, path, item), on: sql`1 = 1` }] }
}

function columnsOf(
  { field: { leaf, kind }, paths }: BoundInner,
  alias: string,
  { dialect }: SqlContext,
): InnerColumn[] {
  const document = documentSql(leaf.field, alias, dialect)
  const path = paths.at(-1)
  if (path === undefined) return [{ value: document, kind }]
  const value = (as: Parameters<typeof dialect.json.value>[2]) => dialect.json.value(document, path, as)
  if (kind !== 'json') return [{ value: value(heldType(leaf.field.kind)), kind }]
  return [
    { value: value('text'), kind: 'text' },
    // A double needs no conversion, unlike the integers of some databases.
    { value: value('double'), kind: 'integer' },
    { value: value('boolean'), kind: 'boolean' },
  ]
}
