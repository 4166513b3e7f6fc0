import { isObject } from '../../../../kernel/index.ts'
import {
  type ComponentsAttribute,
  holdsComponents,
  isReference,
  operatorNamed,
  targetNameOf,
} from '../../../foundation/schemas/schemas.ts'
import type { ColumnField, EntryModel } from '../entry/entry-model.ts'
import { type Condition, heightOf, holdsItems, itemColumn } from './condition.ts'
import {
  all,
  type ComparedField,
  type FilterContext,
  type FilteredField,
  inside,
  isPresence,
  maxConditions,
  negate,
  nothing,
  oppositeNamed,
  type Place,
  parseNull,
  parsePresence,
  refuse,
  refusedSize,
  tooMany,
} from './filter-place.ts'
import { entryScope, type FilterScope, type ItemsPlace, itemScope } from './filter-scope.ts'
import { parseJson } from './json-filters.ts'
import { parseMetaFilter } from './meta-filter.ts'
import { parseOperator, parseOperators } from './value-filters.ts'

const fieldAliases: Readonly<Record<string, string>> = {
  createdAt: 'created_at',
  updatedAt: 'updated_at',
  publishedAt: 'published_at',
}

/** SQLite limits expressions to 1,000 levels; the rest of the statement needs some of them. */
const maxHeight = 900

/** The field's actual name, given an alias (`createdAt`). */
export function canonicalFieldName(name: string): string {
  return Object.hasOwn(fieldAliases, name) ? (fieldAliases[name] as string) : name
}

/**
 * Checks the `filters` of a query against a type. Problems go to `deps`; the result is valid only if there
 * are none.
 */
export function parseFilters(filters: unknown, model: EntryModel, deps: FilterContext): Condition {
  const condition = parseGroup(filters, {
    scope: entryScope(model),
    path: 'filters',
    depth: 0,
    count: { conditions: 0 },
    ...deps,
  })
  if (heightOf(condition) > maxHeight) deps.problems.push(tooMany(maxHeight))
  return condition
}

interface ScopedPlace extends Place {
  readonly scope: FilterScope
}

/** An object whose members are combined with AND: `$and`, `$or`, `$not`, fields. */
function parseGroup(group: unknown, place: ScopedPlace): Condition {
  const refused = refusedSize(place)
  if (refused !== undefined) return refused
  if (!isObject(group)) return refuse(place, 'type', 'must name a field, as in filters[title][$eq]=x')
  return all(Object.entries(group).map(([key, value]) => parseMember(key, value, inside(place, key))))
}

function parseMember(key: string, value: unknown, place: ScopedPlace): Condition {
  if (key === '$and' || key === '$or') return parseGroups(key === '$and' ? 'and' : 'or', value, place)
  if (key === '$not') return negate(parseGroup(value, place))
  if (key.startsWith('$')) return refuse(place, 'operator', `${key} is not allowed here; name a field first`)
  return parseField(canonicalFieldName(key), value, place)
}

function parseGroups(kind: 'and' | 'or', value: unknown, place: ScopedPlace): Condition {
  const groups = Array.isArray(value) ? value : isObject(value) ? [value] : []
  if (groups.length === 0) return refuse(place, 'type', 'needs a list of filters')
  if (groups.length > maxConditions)
    return refuse(place, 'maxItems', `takes at most ${maxConditions} filters`)
  return { kind, conditions: groups.map((group, index) => parseGroup(group, inside(place, String(index)))) }
}

function parseField(name: string, value: unknown, place: ScopedPlace): Condition {
  const { scope } = place
  const found = scope.fieldNamed(name)
  if (found === undefined) return parseSelection(name, value, place)
  const { attribute } = found.field
  if (isReference(attribute)) return parseReference(found, targetNameOf(attribute), value, place)
  if (holdsComponents(attribute)) return parseComponents(found as ComparedField, attribute, value, place)
  const compared = found as ComparedField
  return compared.field.kind === 'json'
    ? parseJson(compared, value, place)
    : parseOperators(compared, value, place)
}

/** A filter on metadata from a plugin, such as the state of a workflow. */
function parseSelection(name: string, value: unknown, place: ScopedPlace): Condition {
  const { scope, selections } = place
  const selection = scope.model === undefined ? undefined : selections?.named(name)
  return selection === undefined || scope.model === undefined
    ? refuse(place, 'unknown', `${scope.name} has no field ${name} to filter by`)
    : parseMetaFilter(selection, value, { ...place, model: scope.model })
}

/** Conditions on the id (`filters[owner]=7`, `filters[owner][$in]=7,8`) or on attributes of the referenced entry. */
function parseReference(
  found: FilteredField,
  targetName: string,
  value: unknown,
  place: ScopedPlace,
): Condition {
  const target = place.models.get(targetName)
  if (target === undefined) throw new Error(`no content type ${targetName}`)
  // Whether a related entry exists also reveals something about its type.
  place.lookedInto.add(targetName)
  const id = { field: target.columns.get('id') as ColumnField }
  const related = (condition: Condition): Condition => ({
    kind: 'related',
    field: found.field,
    ...(found.keys === undefined ? {} : { at: place.slots.addPath(found.keys) }),
    condition,
  })
  if (!isObject(value)) return related(parseOperators(id, value, place))
  const aboutTheField: Condition[] = []
  // Combined in one condition, so that a single related entry has to satisfy all of them.
  const aboutTheTarget: Condition[] = []
  for (const [key, member] of Object.entries(value)) {
    const here = inside(place, key)
    const opposite = oppositeNamed(key)
    if (isPresence(key)) aboutTheField.push(parseNull(found, key, member, here))
    else if (key === '$not') aboutTheField.push(negate(parseReference(found, targetName, member, here)))
    else if (opposite !== undefined)
      aboutTheField.push(negate(related(parseOperator(id, opposite, member, here))))
    else if (operatorNamed(key) !== undefined) aboutTheTarget.push(parseOperator(id, key, member, here))
    else {
      const there = { ...here, scope: entryScope(target), selections: undefined }
      aboutTheTarget.push(parseMember(key, member, there))
    }
  }
  if (aboutTheTarget.length > 0) aboutTheField.push(related(all(aboutTheTarget)))
  return all(aboutTheField)
}

/**
 * Conditions on the content of its items: `filters[seo][title]=x`; for zones, by component:
 * `filters[blocks][page.quote][text]=x`.
 */
function parseComponents(
  found: ComparedField,
  attribute: ComponentsAttribute,
  value: unknown,
  place: ScopedPlace,
): Condition {
  const refused = refusedSize(place)
  if (refused !== undefined) return refused
  if (!isObject(value)) return refuse(place, 'type', `name a field in ${attribute.name} first`)
  const aboutTheField: Condition[] = []
  // Combined in one condition, so that a single item has to satisfy all of them.
  const aboutItems: [string, unknown][] = []
  for (const [key, member] of Object.entries(value)) {
    const here = inside(place, key)
    if (isPresence(key)) aboutTheField.push(parseComponentsNull(found, attribute, [key, member], here))
    else if (key === '$not') aboutTheField.push(negate(parseComponents(found, attribute, member, here)))
    else if (attribute.type === 'component') aboutItems.push([key, member])
    else aboutTheField.push(parseBlocks(found, attribute.components, { uid: key, value: member }, here))
  }
  if (attribute.type === 'component' && aboutItems.length > 0) {
    const items = { uid: attribute.component, isList: attribute.repeatable, isBlock: false }
    aboutTheField.push(parseItems(found, items, Object.fromEntries(aboutItems), place))
  }
  return aboutTheField.length === 0
    ? refuse(place, 'type', `name a field in ${attribute.name} first`)
    : all(aboutTheField)
}

function parseComponentsNull(
  found: ComparedField,
  attribute: ComponentsAttribute,
  [operator, operand]: readonly [string, unknown],
  place: Place,
): Condition {
  const { field, keys = [] } = found
  if (!holdsItems(field)) return parseNull(found, operator, operand, place)
  const hasSome: Condition = {
    kind: 'items',
    field,
    isList: true,
    ...(keys.length === 0 ? {} : { at: place.slots.addPath(keys) }),
    condition: attribute.type === 'component' ? nothing : isBlockOf(attribute.components, field, place),
  }
  return parsePresence(operator, operand, negate(hasSome), place)
}

/** Blocks of components that the zone does not allow are hidden, so they must not match. */
function isBlockOf(components: readonly string[], field: ColumnField, { slots }: Place): Condition {
  return {
    kind: 'compare',
    field: { ...field, kind: 'string', column: itemColumn },
    comparison: '$in',
    slots: [slots.addList('string', components)],
    at: { path: slots.addPath(['__component']), as: 'text' },
  }
}

/** The blocks of one component in a zone. */
function parseBlocks(
  found: ComparedField,
  components: readonly string[],
  { uid, value }: { readonly uid: string; readonly value: unknown },
  place: ScopedPlace,
): Condition {
  if (components.includes(uid)) return parseItems(found, { uid, isList: true, isBlock: true }, value, place)
  return refuse(place, 'unknown', `name a component of the zone first: ${components.join(', ')}`)
}

interface Items {
  readonly uid: string
  readonly isList: boolean
  /** Whether the list may contain items of other components. */
  readonly isBlock: boolean
}

/** True if a single item satisfies all conditions. */
function parseItems(
  { field, keys = [] }: ComparedField,
  { uid, isList, isBlock }: Items,
  value: unknown,
  place: ScopedPlace,
): Condition {
  const { slots, schemas } = place
  const items: ItemsPlace = isList ? { field: { ...field, column: itemColumn }, keys: [] } : { field, keys }
  const scope = itemScope(uid, items, schemas)
  return {
    kind: 'items',
    field,
    isList,
    ...(keys.length === 0 ? {} : { at: slots.addPath(keys) }),
    ...(isBlock
      ? { component: { path: slots.addPath(['__component']), uid: slots.add('string', uid) } }
      : {}),
    condition: parseGroup(value, { ...place, scope, selections: undefined }),
  }
}
