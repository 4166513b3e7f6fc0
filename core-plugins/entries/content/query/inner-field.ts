import { type ColumnKind, isJsonKey } from '../../../foundation/database/database.ts'
import {
  type ComponentsAttribute,
  holdsComponents,
  isInverse,
  isReference,
  isToMany,
  targetNameOf,
} from '../../../foundation/schemas/schemas.ts'
import type { ColumnField, EntryModel } from '../entry/entry-model.ts'
import { itemColumn, type Slots } from './condition.ts'
import type { ComparedField, FilterContext, FilteredField } from './filter-place.ts'
import { entryScope, type FilterScope, itemScope } from './filter-scope.ts'
import { canonicalFieldName } from './filters.ts'
import { heldKind } from './value-filters.ts'

/** The values of a field that is not the entry's own: inside its components, zones or JSON, or in entries that it refers to. */
export interface InnerField {
  /** The steps that lead to the values, from the outside in. */
  readonly steps: readonly InnerStep[]
  /** The field at the end. Kind `json`: values of any type at the given keys. */
  readonly leaf: FilteredField & { readonly field: ColumnField }
  /** The kind of the values as they come out of the database. */
  readonly kind: ColumnKind
  /** The names that filters use for the path. */
  readonly path: readonly string[]
  /** If the values are ids: the type of the entries that they belong to. */
  readonly target: string | undefined
}

export type InnerStep =
  /** Into each item of a list; for zones, only into items of one component. */
  | { readonly kind: 'items'; readonly list: ComparedField; readonly uid?: string }
  /** Into the entries that a reference refers to. */
  | { readonly kind: 'related'; readonly found: FilteredField; readonly target: EntryModel }

/** The field, or the reason why it cannot be used. */
export type ResolvedInner = InnerField | { readonly code: 'unknown' | 'type'; readonly problem: string }

type InnerContext = Pick<FilterContext, 'models' | 'schemas' | 'lookedInto'>

const maxNames = 10
/** Each relation joins another table, and a to-many relation multiplies the rows. */
const maxRelations = 3

/** `seo.title`, `blocks.shared.quote.text`, `facts.size.height`, `author.country.name` */
export function resolveInner(name: string, model: EntryModel, context: InnerContext): ResolvedInner {
  const names = name.split('.')
  if (names.length > maxNames) return misfit(`takes at most ${maxNames} names, one inside the other`)
  return follow(names, { scope: entryScope(model), steps: [], path: [] }, context)
}

/** How far a path has been followed. */
interface Position {
  readonly scope: FilterScope
  readonly steps: readonly InnerStep[]
  readonly path: readonly string[]
}

function follow([name = '', ...rest]: readonly string[], at: Position, context: InnerContext): ResolvedInner {
  const canonical = canonicalFieldName(name)
  const found = at.scope.fieldNamed(canonical)
  if (found === undefined) return unknown(at.scope, name)
  const here = { ...at, path: [...at.path, canonical] }
  const { attribute } = found.field
  if (attribute !== undefined && isInverse(attribute)) {
    context.lookedInto.add(attribute.target)
    return misfit(`${name} is the inverse side of a relation; group the entries on its other side`)
  }
  if (isReference(attribute)) return followReference(found, targetNameOf(attribute), rest, here, context)
  const compared = found as ComparedField
  if (holdsComponents(attribute)) return followComponents(compared, attribute, rest, here, context)
  if (compared.field.kind === 'json') return jsonLeaf(compared, rest, here)
  if (compared.field.kind === 'point') return misfit(`${name} has no single value to group by`)
  if (rest.length > 0) return misfit(`${name} has nothing inside of it`)
  const { kind } = compared.field
  const held = compared.keys === undefined ? kind : heldKind(kind)
  return { steps: here.steps, path: here.path, leaf: compared, kind: held, target: undefined }
}

function followReference(
  found: FilteredField,
  targetName: string,
  rest: readonly string[],
  at: Position,
  context: InnerContext,
): ResolvedInner {
  const target = context.models.get(targetName)
  if (target === undefined) throw new Error(`no content type ${targetName}`)
  context.lookedInto.add(targetName)
  if (at.steps.filter(({ kind }) => kind === 'related').length === maxRelations) {
    return misfit(`leads through more than ${maxRelations} relations`)
  }
  const steps: InnerStep[] = [...at.steps, { kind: 'related', found, target }]
  if (rest.length > 0) return follow(rest, { ...at, steps, scope: entryScope(target) }, context)
  const id = target.columns.get('id') as ColumnField
  return { steps, path: at.path, leaf: { field: id }, kind: 'reference', target: targetName }
}

function followComponents(
  { field, keys = [] }: ComparedField,
  attribute: ComponentsAttribute,
  rest: readonly string[],
  at: Position,
  context: InnerContext,
): ResolvedInner {
  const { schemas } = context
  if (attribute.type === 'component' && !attribute.repeatable) {
    if (rest.length === 0) return misfit(`name a field in ${attribute.name}`)
    return follow(rest, { ...at, scope: itemScope(attribute.component, { field, keys }, schemas) }, context)
  }
  const isZone = attribute.type !== 'component'
  const uid = isZone ? rest.slice(0, 2).join('.') : attribute.component
  if (isZone && !attribute.components.includes(uid)) {
    const message = `name a component of ${attribute.name} first: ${attribute.components.join(', ')}`
    return { code: 'unknown', problem: message }
  }
  const inner = isZone ? rest.slice(2) : rest
  if (inner.length === 0) return misfit(`name a field in ${isZone ? uid : attribute.name}`)
  const items = { field: { ...field, column: itemColumn }, keys: [] }
  const step = { kind: 'items', list: { field, keys }, ...(isZone ? { uid } : {}) } as const
  const path = isZone ? [...at.path, uid] : at.path
  return follow(inner, { steps: [...at.steps, step], scope: itemScope(uid, items, schemas), path }, context)
}

function jsonLeaf(
  { field, keys = [] }: ComparedField,
  names: readonly string[],
  { steps, path }: Position,
): ResolvedInner {
  if (names.length === 0) return misfit(`name a key in ${path.at(-1)}`)
  if (!names.every((key) => isJsonKey(key) && !key.startsWith('$'))) {
    return misfit('keys must not be numbers, begin with $, or have quotes, backslashes or control characters')
  }
  const problem = field.shown?.()?.problemAt?.(names)
  if (problem !== undefined) return misfit(problem)
  const leaf = { field, keys: [...keys, ...names] }
  return { steps, path: [...path, ...names], leaf, kind: 'json', target: undefined }
}

function unknown({ name: scope }: FilterScope, name: string): ResolvedInner {
  return { code: 'unknown', problem: `there is no field ${name.slice(0, 100)} in ${scope}` }
}

function misfit(problem: string): ResolvedInner {
  return { code: 'type', problem }
}

/** Whether an entry may have several values. */
export function hasSeveral({ steps }: InnerField): boolean {
  return steps.some((step) => step.kind === 'items' || isList(step.found))
}

function isList({ field: { attribute } }: FilteredField): boolean {
  return attribute !== undefined && isToMany(attribute)
}

/** An inner field whose keys in JSON documents are bound. */
export interface BoundInner {
  readonly field: InnerField
  /** The slots of the paths of each step and of the leaf; undefined for values with a column. */
  readonly paths: readonly (string | undefined)[]
  /** For steps into zones: the slots of the path to the component name in an item, and of the wanted name. */
  readonly components: readonly ({ readonly path: string; readonly uid: string } | undefined)[]
}

export function bindInner(field: InnerField, slots: Slots): BoundInner {
  const pathOf = ({ keys = [] }: FilteredField) => (keys.length === 0 ? undefined : slots.addPath(keys))
  const places = field.steps.map((step) => (step.kind === 'items' ? step.list : step.found))
  return {
    field,
    paths: [...places, field.leaf].map(pathOf),
    components: field.steps.map((step) =>
      step.kind === 'items' && step.uid !== undefined
        ? { path: slots.addPath(['__component']), uid: slots.add('string', step.uid) }
        : undefined,
    ),
  }
}

/** Equal for fields that need the same SQL. */
export function shapeOfInner({ field, paths }: BoundInner): string {
  const names = field.kind === 'json' ? field.path.slice(0, -(field.leaf.keys ?? []).length) : field.path
  return `${names.join('.')} ${field.kind} ${paths.join()}`
}
