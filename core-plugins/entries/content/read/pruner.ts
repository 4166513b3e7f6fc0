import type { Queries, Recipient } from '../../../foundation/database/database.ts'
import {
  type Attribute,
  componentsOf,
  isReference,
  type MediaAttribute,
  type RelationAttribute,
  type Schemas,
  targetNameOf,
} from '../../../foundation/schemas/schemas.ts'
import type { EntryModel } from '../entry/entry-model.ts'
import { referencedTypes, typesInComponents } from '../query/referenced-types.ts'
import { mayHide, type Visibility } from '../query/visibility.ts'
import { observerOf } from '../read-observer.ts'
import { keep } from './keep.ts'
import type { ReadDeps } from './read-deps.ts'
import { compileVisibleIds, type VisibleIds } from './visible-ids.ts'

type Item = Record<string, unknown>

/** The connection, time (`now`, ISO 8601) and recipient of a read. */
export interface Pruning {
  readonly now: string
  readonly queries: Queries
  readonly recipient: Recipient | undefined
}

/** Removes ids of hidden entries from entries, in place. */
export interface Pruner {
  prune(entries: readonly Item[], pruning: Pruning): Promise<void>
}

/**
 * `components`: ids inside components and zones, which are JSON and have no columns; a query for entries
 * hides the others itself. `all`: also the entry's own relations and media. `draft`: the same places as
 * `all`, but everything is JSON.
 */
export type PrunedPlaces = 'components' | 'all' | 'draft'

/** Only the ids of the entries are shown: they become wrong when an entry is deleted, which may change no other row. */
const noFields: ReadonlySet<string> = new Set()

type Attributes = ReadonlyMap<string, Attribute>

/**
 * Undefined if every id that may occur belongs to an entry the caller may see, as is nearly always the case.
 */
export function createPruner(
  model: EntryModel,
  places: PrunedPlaces,
  visibility: Visibility,
  deps: ReadDeps,
): Pruner | undefined {
  const { schemas, models } = deps
  const finders = new Map<string, VisibleIds>()
  const insideJson = typesInComponents(model, schemas)
  for (const name of places === 'components' ? insideJson : referencedTypes(model, schemas)) {
    const target = models.get(name)
    if (target === undefined) continue
    const isJson = places === 'draft' || insideJson.has(name)
    if (mayHide(target.type, visibility) || (isJson && mayBeGone(target))) {
      finders.set(name, compileVisibleIds(target, visibility, deps))
    }
  }
  if (finders.size === 0) return undefined

  return {
    async prune(entries, { now, queries, recipient }) {
      const found = new Map<string, { item: Item; name: string }[]>()
      const visit: Visit = (attribute, item) => {
        const target = targetNameOf(attribute)
        if (finders.has(target)) keep(found, target, () => []).push({ item, name: attribute.name })
      }
      for (const entry of entries) {
        if (places !== 'components') visitReferences(model.type.attributes, entry, visit)
        visitComponents(model.type.attributes, entry, schemas, visit)
      }
      for (const [target, holders] of found) {
        const ids = holders.flatMap(({ item, name }) => idsIn(item[name]))
        if (ids.length === 0) continue
        const visible = (await finders.get(target)?.(ids, now, queries)) ?? new Set()
        observerOf(recipient)?.shows(target, [...visible], noFields)
        for (const { item, name } of holders) item[name] = visibleOf(item[name], visible)
      }
    },
  }
}

type Visit = (attribute: RelationAttribute | MediaAttribute, item: Item) => void

/** No foreign key removes the id of a deleted entry from JSON. For media, the delete does that itself. */
function mayBeGone({ type }: EntryModel): boolean {
  return !type.system
}

function idsIn(value: unknown): number[] {
  if (typeof value === 'number') return [value]
  return Array.isArray(value) ? value : []
}

function visibleOf(value: unknown, visible: ReadonlySet<number>): unknown {
  if (typeof value === 'number') return visible.has(value) ? value : null
  return Array.isArray(value) ? value.filter((id) => visible.has(id)) : value
}

function visitReferences(attributes: Attributes, item: Item, visit: Visit): void {
  for (const attribute of attributes.values()) {
    if (isReference(attribute) && attribute.name in item) visit(attribute, item)
  }
}

/** Calls `visit` for every relation and media field of every component item. */
function visitComponents(attributes: Attributes, holder: Item, schemas: Schemas, visit: Visit): void {
  for (const attribute of attributes.values()) {
    for (const { uid, item } of componentItems(attribute, holder[attribute.name])) {
      const inside = schemas.components.get(uid)?.attributes ?? new Map()
      visitReferences(inside, item, visit)
      visitComponents(inside, item, schemas, visit)
    }
  }
}

/** The component objects in a field, each with the uid of its component. */
export function componentItems(attribute: Attribute, value: unknown): { uid: string; item: Item }[] {
  if (componentsOf(attribute).length === 0 || typeof value !== 'object' || value === null) return []
  return (Array.isArray(value) ? value : [value]).map((item: Item) => ({
    uid: attribute.type === 'component' ? attribute.component : String(item.__component),
    item,
  }))
}
