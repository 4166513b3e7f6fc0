import type { ErrorDetail } from '../../http/http.ts'
import type { Attribute, Schemas } from '../../schemas/schemas.ts'
import type { EntryQuery, Expansion } from '../content.ts'
import { type EntryModel, isReference, targetNameOf } from '../entry-model.ts'
import { type Condition, shapeOf } from './condition.ts'
import type { SortKey } from './sort.ts'

/** What to expand at one level, by the name under which it is put. */
export type PopulateTree = ReadonlyMap<string, PopulateNode>

/** One field to expand. */
export interface PopulateNode {
  readonly field: string
  /** What to expand in the entries or items found there. */
  readonly inside: PopulateTree
  /** Where that differs by component, in place of `inside`. */
  readonly byComponent?: ReadonlyMap<string, PopulateTree>
  /** Undefined: all that the field leads to, as they are. */
  readonly picked?: PickedEntries
}

/** Which of the entries that a field leads to, in which order, and what of them. */
export interface PickedEntries {
  /** Names of the fields to load. */
  readonly fields: ReadonlySet<string>
  readonly condition: Condition | undefined
  /** Undefined: the order of the field itself. */
  readonly sort: readonly SortKey[] | undefined
  /** The slots that hold how many to show for each entry, and how many to leave out before. */
  readonly limitSlot: string | undefined
  readonly offsetSlot: string | undefined
}

type MutableTree = Map<string, MutableNode>

interface MutableNode {
  readonly field: string
  readonly inside: MutableTree
}

/** decisions.md, 3: relations deeper than this are refused. */
export const maxPopulateDepth = 5

export interface PopulateScope {
  readonly models: ReadonlyMap<string, EntryModel>
  readonly schemas: Schemas
  readonly problems: ErrorDetail[]
  /** Gets the type names that are expanded by name; the caller must be allowed to read them. */
  readonly named: Set<string>
}

/** Where a path has got to: a type's attributes, or those of all components that may stand in a field. */
type AttributeSet = ReadonlyMap<string, readonly Attribute[]>

/** `author,categories.image,blocks.cover` and `*` for all of a level. */
export function parsePopulate(
  text: string | undefined,
  model: EntryModel,
  scope: PopulateScope,
): PopulateTree {
  const tree: MutableTree = new Map()
  for (const path of (text ?? '').split(',')) {
    const names = path.trim().split('.')
    if (path.trim() !== '') addPath(tree, names, attributesOf(model), { scope, path: path.trim(), depth: 0 })
  }
  return tree
}

interface PathState {
  readonly scope: PopulateScope
  readonly path: string
  /** Relations followed so far. */
  readonly depth: number
}

function attributesOf(model: EntryModel): AttributeSet {
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
    const message = `there is no relation, media or component field ${name} to expand`
    state.scope.problems.push({ path: 'populate', code: 'unknown', message: `${state.path}: ${message}` })
    return
  }
  for (const attribute of candidates.filter(isReference)) state.scope.named.add(targetNameOf(attribute))
  addNode(tree, name, rest, candidates, state)
}

function isExpandable(attribute: Attribute): boolean {
  return isReference(attribute) || attribute.type === 'component' || attribute.type === 'dynamicZone'
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
    state.scope.problems.push({ path: 'populate', code: 'depth', message })
    return
  }
  const node = tree.get(name) ?? { field: name, inside: new Map() }
  tree.set(name, node)
  if (rest.length > 0)
    addPath(node.inside, rest, attributesInside(candidates, state.scope), { ...state, depth })
}

/** The attributes found behind a field: of the target type, or of every component that may stand there. */
function attributesInside(candidates: readonly Attribute[], scope: PopulateScope): AttributeSet {
  const inside = new Map<string, Attribute[]>()
  const add = (attribute: Attribute) => {
    inside.set(attribute.name, [...(inside.get(attribute.name) ?? []), attribute])
  }
  for (const candidate of candidates) {
    if (isReference(candidate)) {
      const target = scope.models.get(targetNameOf(candidate))
      if (target !== undefined)
        for (const [attribute] of attributesOf(target).values()) if (attribute) add(attribute)
    }
    for (const uid of componentsOf(candidate)) {
      for (const attribute of scope.schemas.components.get(uid)?.attributes.values() ?? []) add(attribute)
    }
  }
  return inside
}

/** The components that may stand in a field. */
export function componentsOf(attribute: Attribute): readonly string[] {
  if (attribute.type === 'component') return [attribute.component]
  return attribute.type === 'dynamicZone' ? attribute.components : []
}

/** The same text for trees that expand the same. */
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

function pickedShape({ fields, condition, sort, limitSlot, offsetSlot }: PickedEntries): string {
  return `{${[
    [...fields].join(' '),
    condition === undefined ? '' : shapeOf(condition),
    sort?.map(({ field, direction }) => `${field.name} ${direction}`).join(' '),
    limitSlot,
    offsetSlot,
  ].join(';')}}`
}

/** What would have had to be asked for so that a list shows these entries as a node does: for middleware to look at. */
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
