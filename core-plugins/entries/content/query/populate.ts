import type { ErrorDetail } from '../../../foundation/http/http.ts'
import {
  type Attribute,
  componentsOf,
  holdsComponents,
  isReference,
  type Schemas,
  targetNameOf,
} from '../../../foundation/schemas/schemas.ts'
import type { EntryModel } from '../entry/entry-model.ts'
import type { EntryQuery, Expansion } from '../entry-query.ts'
import { type Condition, shapeOf } from './condition.ts'
import { type SortKey, shapeOfKey } from './sort.ts'

/** What to expand at one level, by the name under which the result is stored. */
export type PopulateTree = ReadonlyMap<string, PopulateNode>

/** One field to expand. */
export interface PopulateNode {
  readonly field: string
  /** What to expand in the entries or items found. */
  readonly inside: PopulateTree
  /** Replaces `inside` if components differ in what to expand. */
  readonly byComponent?: ReadonlyMap<string, PopulateTree>
  /** Undefined: all entries that the field refers to, unchanged. */
  readonly picked?: PickedEntries
}

/** Which of the referenced entries to include, in which order, and which of their fields. */
export interface PickedEntries {
  /** Names of the fields to load. */
  readonly fields: ReadonlySet<string>
  readonly condition: Condition | undefined
  /** Undefined: the order of the field itself. */
  readonly sort: readonly SortKey[] | undefined
  /** The slots for the number of entries to show per item, and for the number to skip first. */
  readonly limitSlot: string | undefined
  readonly offsetSlot: string | undefined
  /** Whether each item also shows the total number, regardless of the page. */
  readonly withTotal: boolean
}

type MutableTree = Map<string, MutableNode>

interface MutableNode {
  readonly field: string
  readonly inside: MutableTree
}

/** The limit of nested relations. */
export const maxPopulateDepth = 5

export interface PopulateDeps {
  readonly models: ReadonlyMap<string, EntryModel>
  readonly schemas: Schemas
  readonly problems: ErrorDetail[]
  /** Collects the types that are expanded by name; the caller must be allowed to read them. */
  readonly named: Set<string>
}

/**
 * What a path can continue with: a type's attributes, or those of all components that a field may contain.
 */
export type AttributeSet = ReadonlyMap<string, readonly Attribute[]>

/** The starting point of paths. */
export interface PopulatePlace {
  readonly deps: PopulateDeps
  /** The parameter, for problems. */
  readonly parameter: string
  /** Relations followed so far. */
  readonly depth: number
}

/** Parses `author,categories.image,blocks.cover`, with `*` for all fields of a level. */
export function parsePaths(text: string, attributes: AttributeSet, place: PopulatePlace): PopulateTree {
  const tree: MutableTree = new Map()
  for (const path of text.split(',')) {
    const names = path.trim().split('.')
    if (path.trim() !== '') addPath(tree, names, attributes, { ...place, path: path.trim() })
  }
  return tree
}

interface PathState extends PopulatePlace {
  readonly path: string
}

/** The attributes that entries of a type show. */
export function attributesOf(model: EntryModel): AttributeSet {
  const shown = [...model.type.attributes.values()].filter(
    ({ name }) => model.columns.has(name) || model.links.has(name) || model.inverses.has(name),
  )
  return new Map(shown.map((attribute) => [attribute.name, [attribute]]))
}

function addPath(
  tree: MutableTree,
  names: readonly string[],
  attributes: AttributeSet,
  state: PathState,
): void {
  const [name = '', ...rest] = names
  if (name === '*') {
    for (const [key, candidates] of attributes) {
      if (candidates.some(isReference)) addNode(tree, key, rest, candidates, state)
    }
    return
  }
  const candidates = attributes.get(name)
  if (candidates === undefined || !candidates.some(isExpandable)) {
    const message = nothingToExpand(name)
    state.deps.problems.push({
      path: state.parameter,
      code: 'unknown',
      message: `${state.path}: ${message}`,
    })
    return
  }
  for (const attribute of candidates.filter(isReference)) state.deps.named.add(targetNameOf(attribute))
  addNode(tree, name, rest, candidates, state)
}

export function nothingToExpand(name: string): string {
  return `there is no relation, media or component field ${name} to expand`
}

export function isExpandable(attribute: Attribute): boolean {
  return isReference(attribute) || holdsComponents(attribute)
}

function addNode(
  tree: MutableTree,
  name: string,
  rest: readonly string[],
  candidates: readonly Attribute[],
  state: PathState,
): void {
  const depth = state.depth + (candidates.some(isReference) ? 1 : 0)
  if (depth > maxPopulateDepth) {
    const message = `${state.path}: expands at most ${maxPopulateDepth} levels`
    state.deps.problems.push({ path: state.parameter, code: 'depth', message })
    return
  }
  const node = tree.get(name) ?? { field: name, inside: new Map() }
  tree.set(name, node)
  if (rest.length > 0)
    addPath(node.inside, rest, attributesInside(candidates, state.deps), { ...state, depth })
}

/** The attributes behind a field: of the target type, or of every component that the field may contain. */
export function attributesInside(candidates: readonly Attribute[], deps: PopulateDeps): AttributeSet {
  const inside = new Map<string, Attribute[]>()
  const add = (attribute: Attribute) => {
    inside.set(attribute.name, [...(inside.get(attribute.name) ?? []), attribute])
  }
  for (const candidate of candidates) {
    if (isReference(candidate)) {
      const target = deps.models.get(targetNameOf(candidate))
      if (target !== undefined)
        for (const [attribute] of attributesOf(target).values()) if (attribute) add(attribute)
    }
    for (const uid of componentsOf(candidate)) {
      for (const attribute of deps.schemas.components.get(uid)?.attributes.values() ?? []) add(attribute)
    }
  }
  return inside
}

/** Equal for trees that expand the same fields. */
export function populateShape(tree: PopulateTree): string {
  return [...tree].map(([name, node]) => `${name}${nodeShape(name, node)}`).join(',')
}

function nodeShape(name: string, { field, inside, byComponent, picked }: PopulateNode): string {
  const components = [...(byComponent ?? [])].map(([uid, tree]) => `${uid}(${populateShape(tree)})`)
  return [
    name === field ? '' : `=${field}`,
    picked === undefined ? '' : pickedShape(picked),
    byComponent === undefined ? `(${populateShape(inside)})` : `[${components.join(',')}]`,
  ].join('')
}

function pickedShape({ fields, condition, sort, limitSlot, offsetSlot, withTotal }: PickedEntries): string {
  return `{${[
    [...fields].join(' '),
    condition === undefined ? '' : shapeOf(condition),
    sort?.map(shapeOfKey).join(' '),
    limitSlot,
    offsetSlot,
    withTotal,
  ].join(';')}}`
}

/** A list query that shows these entries as the node would; read middleware receives it. */
export function queryShowing(
  entries: readonly { readonly id: number }[],
  { inside, picked }: PopulateNode,
): EntryQuery {
  return {
    filters: { id: { $in: entries.map(({ id }) => id) } },
    populate: expansionsOf(inside),
    ...(picked === undefined ? {} : { fields: [...picked.fields] }),
  }
}

function expansionsOf(tree: PopulateTree): Expansion[] {
  return [...tree].map(([name, { field, inside, byComponent }]) => ({
    field,
    ...(name === field ? {} : { as: name }),
    ...(byComponent === undefined
      ? { populate: expansionsOf(inside) }
      : {
          inComponents: Object.fromEntries([...byComponent].map(([uid, each]) => [uid, expansionsOf(each)])),
        }),
  }))
}
