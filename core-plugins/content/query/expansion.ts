import type { Attribute } from '../../schemas/schemas.ts'
import type { Expansion } from '../content.ts'
import { type DraftsOf, draftMark } from '../draft-overlay.ts'
import { type EntryModel, isReference, targetNameOf } from '../entry-model.ts'
import type { Condition, Slots } from './condition.ts'
import { canonicalFieldName, parseFilters } from './filters.ts'
import {
  componentsOf,
  type PickedEntries,
  type PopulateNode,
  type PopulateScope,
  type PopulateTree,
} from './populate.ts'
import { parseSort } from './sort.ts'

export interface ExpansionScope extends PopulateScope {
  readonly slots: Slots
  readonly lookedInto: Set<string>
  readonly draftsOf: DraftsOf
  readonly maxLimit: number
}

type Attributes = ReadonlyMap<string, Attribute>

/** Checks what another plugin asks to expand. Problems go to the scope; the answer counts only without any. */
export function parseExpansions(
  expansions: readonly Expansion[],
  model: EntryModel,
  scope: ExpansionScope,
): PopulateTree {
  const isShown = ({ name }: Attribute) =>
    model.columns.has(name) || model.links.has(name) || model.inverses.has(name)
  return parseLevel(expansions, model.type.attributes, { isShown, scope })
}

interface Level {
  readonly isShown: (attribute: Attribute) => boolean
  readonly scope: ExpansionScope
}

function parseLevel(expansions: readonly Expansion[], attributes: Attributes, level: Level): PopulateTree {
  const nodes = expansions.flatMap((expansion): [string, PopulateNode][] => {
    const attribute = attributes.get(expansion.field)
    if (attribute !== undefined && level.isShown(attribute)) {
      const node = parseNode(expansion, attribute, level.scope)
      if (node !== undefined) return [[expansion.as ?? expansion.field, node]]
    }
    const message = `there is no relation, media or component field ${expansion.field} to expand`
    level.scope.problems.push({ path: 'populate', code: 'unknown', message })
    return []
  })
  return new Map(nodes)
}

function parseNode(
  expansion: Expansion,
  attribute: Attribute,
  scope: ExpansionScope,
): PopulateNode | undefined {
  if (isReference(attribute)) return referenceNode(expansion, targetNameOf(attribute), scope)
  return componentsOf(attribute).length > 0 ? componentNode(expansion, attribute, scope) : undefined
}

function referenceNode(
  expansion: Expansion,
  targetName: string,
  scope: ExpansionScope,
): PopulateNode | undefined {
  const target = scope.models.get(targetName)
  if (target === undefined) return undefined
  scope.named.add(targetName)
  const picked = parsePicked(expansion, target, scope)
  return {
    field: expansion.field,
    inside: parseExpansions(expansion.populate ?? [], target, scope),
    ...(picked === undefined ? {} : { picked }),
  }
}

function componentNode(
  { field, inComponents = {} }: Expansion,
  attribute: Attribute,
  scope: ExpansionScope,
): PopulateNode {
  const trees = componentsOf(attribute).map((uid): [string, PopulateTree] => {
    const attributes: Attributes = scope.schemas.components.get(uid)?.attributes ?? new Map()
    return [uid, parseLevel(inComponents[uid] ?? [], attributes, { isShown: () => true, scope })]
  })
  return { field, inside: new Map(), byComponent: new Map(trees) }
}

function parsePicked(
  expansion: Expansion,
  target: EntryModel,
  scope: ExpansionScope,
): PickedEntries | undefined {
  const { fields, filters, sort, limit, offset } = expansion
  if ([fields, filters, sort, limit, offset].every((each) => each === undefined)) return undefined
  return {
    fields: parseFields(expansion, target, scope),
    condition: parseCondition(filters, target, scope),
    sort: sort === undefined ? undefined : parseSort(sort, undefined, target, scope.problems),
    limitSlot: countSlot('limit', limit === undefined ? undefined : Math.min(limit, scope.maxLimit), scope),
    offsetSlot: countSlot('offset', offset, scope),
  }
}

/** What is shown, and what has to be there so that more can be expanded. */
function parseFields(
  { fields, populate = [] }: Expansion,
  target: EntryModel,
  scope: ExpansionScope,
): ReadonlySet<string> {
  const names = fields === undefined ? [...target.shownNames] : fields.map(canonicalFieldName)
  for (const name of names) {
    if (target.shownNames.has(name) || target.inverses.has(name)) continue
    if (name === draftMark && scope.draftsOf(target.type) !== undefined) continue
    const message = `${target.type.name} has no field ${name}`
    scope.problems.push({ path: 'fields', code: 'unknown', message })
  }
  return new Set(['id', ...names, ...populate.map(({ field }) => field)])
}

function parseCondition(filters: unknown, target: EntryModel, scope: ExpansionScope): Condition | undefined {
  return filters === undefined ? undefined : parseFilters(filters, target, scope)
}

function countSlot(path: string, count: number | undefined, scope: ExpansionScope): string | undefined {
  if (count === undefined) return undefined
  if (Number.isSafeInteger(count) && count >= 0) return scope.slots.add('integer', count)
  scope.problems.push({ path, code: 'type', message: 'must be a whole number, 0 or more' })
  return undefined
}
