import {
  type Attribute,
  componentsOf,
  isReference,
  targetNameOf,
} from '../../../foundation/schemas/schemas.ts'
import { type DraftsOf, draftMark } from '../drafts/draft-overlay.ts'
import type { EntryModel } from '../entry/entry-model.ts'
import type { Expansion } from '../entry-query.ts'
import type { Condition, Slots } from './condition.ts'
import { canonicalFieldName, parseFilters } from './filters.ts'
import {
  nothingToExpand,
  type PickedEntries,
  type PopulateDeps,
  type PopulateNode,
  type PopulateTree,
} from './populate.ts'
import { parseSort } from './sort.ts'

export interface ExpansionContext extends PopulateDeps {
  readonly slots: Slots
  readonly lookedInto: Set<string>
  readonly draftsOf: DraftsOf
  readonly maxLimit: number
}

type Attributes = ReadonlyMap<string, Attribute>

/**
 * Checks what another plugin asks to expand. Problems go to `deps`; the result is valid only if there are
 * none.
 */
export function parseExpansions(
  expansions: readonly Expansion[],
  model: EntryModel,
  deps: ExpansionContext,
): PopulateTree {
  const isShown = ({ name }: Attribute) =>
    model.columns.has(name) || model.links.has(name) || model.inverses.has(name)
  return parseLevel(expansions, model.type.attributes, { isShown, deps })
}

interface Level {
  readonly isShown: (attribute: Attribute) => boolean
  readonly deps: ExpansionContext
}

function parseLevel(expansions: readonly Expansion[], attributes: Attributes, level: Level): PopulateTree {
  const nodes = expansions.flatMap((expansion): [string, PopulateNode][] => {
    const attribute = attributes.get(expansion.field)
    if (attribute !== undefined && level.isShown(attribute)) {
      const node = parseNode(expansion, attribute, level.deps)
      if (node !== undefined) return [[expansion.as ?? expansion.field, node]]
    }
    const message = nothingToExpand(expansion.field)
    level.deps.problems.push({ path: 'populate', code: 'unknown', message })
    return []
  })
  return new Map(nodes)
}

function parseNode(
  expansion: Expansion,
  attribute: Attribute,
  deps: ExpansionContext,
): PopulateNode | undefined {
  if (isReference(attribute)) return referenceNode(expansion, targetNameOf(attribute), deps)
  return componentsOf(attribute).length > 0 ? componentNode(expansion, attribute, deps) : undefined
}

function referenceNode(
  expansion: Expansion,
  targetName: string,
  deps: ExpansionContext,
): PopulateNode | undefined {
  const target = deps.models.get(targetName)
  if (target === undefined) return undefined
  deps.named.add(targetName)
  const { populate = [] } = expansion
  const expanded = populate.map(({ field }) => field)
  const picked = parsePicked({ ...expansion, expanded }, target, deps)
  return {
    field: expansion.field,
    inside: parseExpansions(populate, target, deps),
    ...(picked === undefined ? {} : { picked }),
  }
}

function componentNode(
  { field, inComponents = {} }: Expansion,
  attribute: Attribute,
  deps: ExpansionContext,
): PopulateNode {
  const trees = componentsOf(attribute).map((uid): [string, PopulateTree] => {
    const attributes: Attributes = deps.schemas.components.get(uid)?.attributes ?? new Map()
    return [uid, parseLevel(inComponents[uid] ?? [], attributes, { isShown: () => true, deps })]
  })
  return { field, inside: new Map(), byComponent: new Map(trees) }
}

/** The options for referenced entries, and the names of the fields to expand in them. */
export interface Picking
  extends Pick<Expansion, 'fields' | 'filters' | 'sort' | 'limit' | 'offset' | 'total'> {
  readonly expanded: readonly string[]
}

/** Undefined if there are no options. Problems go to `deps`. */
export function parsePicked(
  picking: Picking,
  target: EntryModel,
  deps: ExpansionContext,
): PickedEntries | undefined {
  const { fields, filters, sort, limit, offset, total } = picking
  if ([fields, filters, sort, limit, offset, total].every((each) => each === undefined)) return undefined
  return {
    fields: parseFields(picking, target, deps),
    condition: parseCondition(filters, target, deps),
    sort: sort === undefined ? undefined : parseSort(sort, undefined, target, deps),
    limitSlot: countSlot('limit', limit === undefined ? undefined : Math.min(limit, deps.maxLimit), deps),
    offsetSlot: countSlot('offset', offset, deps),
    withTotal: total === true,
  }
}

/** The fields that are shown, plus those needed to expand further. */
function parseFields(
  { fields, expanded }: Picking,
  target: EntryModel,
  deps: ExpansionContext,
): ReadonlySet<string> {
  const names = fields === undefined ? [...target.shownNames] : fields.map(canonicalFieldName)
  for (const name of names) {
    if (target.shownNames.has(name) || target.inverses.has(name) || name === target.uuid?.name) continue
    if (name === draftMark && deps.draftsOf(target.type) !== undefined) continue
    const message = `${target.type.name} has no field ${name}`
    deps.problems.push({ path: 'fields', code: 'unknown', message })
  }
  return new Set(['id', ...names, ...expanded])
}

function parseCondition(filters: unknown, target: EntryModel, deps: ExpansionContext): Condition | undefined {
  return filters === undefined ? undefined : parseFilters(filters, target, deps)
}

function countSlot(path: string, count: number | undefined, deps: ExpansionContext): string | undefined {
  if (count === undefined) return undefined
  if (Number.isSafeInteger(count) && count >= 0) return deps.slots.add('integer', count)
  deps.problems.push({ path, code: 'type', message: 'must be a whole number, 0 or more' })
  return undefined
}
