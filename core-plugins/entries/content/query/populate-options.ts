import { isObject } from '../../../../kernel/index.ts'
import type { ErrorDetail } from '../../../foundation/http/http.ts'
import {
  type Attribute,
  componentsOf,
  isReference,
  isToMany,
  targetNameOf,
} from '../../../foundation/schemas/schemas.ts'
import type { EntryModel } from '../entry/entry-model.ts'
import { type ExpansionContext, type Picking, parsePicked } from './expansion.ts'
import { parseBoolean } from './filter-value.ts'
import { booleanParameter, countParameter, reportUnknown, textParameter } from './parameters.ts'
import {
  type AttributeSet,
  attributesInside,
  attributesOf,
  isExpandable,
  maxPopulateDepth,
  nothingToExpand,
  type PickedEntries,
  type PopulateNode,
  type PopulateTree,
  parsePaths,
} from './populate.ts'

/** Each relation costs up to three statements. */
const maxRelations = 100

interface Place {
  readonly deps: ExpansionContext
  /** For problems: `populate.comments`. */
  readonly path: string
  /** Relations followed so far. */
  readonly depth: number
  /** Shared by the whole parameter. */
  readonly count: { relations: number }
}

type Options = Readonly<Record<string, unknown>>

/** Parses `populate`: paths (`author,blocks.image`), or fields by name with their options (`populate[comments][limit]=5`). */
export function parsePopulate(raw: unknown, model: EntryModel, deps: ExpansionContext): PopulateTree {
  return parseLevel(raw, attributesOf(model), { deps, path: 'populate', depth: 0, count: { relations: 0 } })
}

function parseLevel(raw: unknown, attributes: AttributeSet, place: Place): PopulateTree {
  if (raw === undefined) return new Map()
  const text = textOf(raw)
  if (text !== undefined) return parsePaths(text, attributes, { ...place, parameter: place.path })
  if (isObject(raw)) return parseMembers(raw, attributes, place)
  refuse(place, 'type', 'must be text, or name a field, as in populate[author][fields]=name')
  return new Map()
}

/** `a,b`, or `populate[]=a&populate[]=b` */
function textOf(raw: unknown): string | undefined {
  if (typeof raw === 'string') return raw
  return Array.isArray(raw) && raw.every((item) => typeof item === 'string') ? raw.join(',') : undefined
}

function parseMembers(raw: Options, attributes: AttributeSet, place: Place): PopulateTree {
  const nodes = Object.entries(raw).flatMap(([name, asked]): [string, PopulateNode][] => {
    const here = { ...place, path: `${place.path}.${name}` }
    const attribute = attributes.get(name)?.find(isExpandable)
    if (attribute === undefined) {
      refuse(here, 'unknown', nothingToExpand(name))
      return []
    }
    const options = optionsIn(asked, here)
    const node = options && parseNode(attribute, options, here)
    return node === undefined ? [] : [[name, node]]
  })
  return new Map(nodes)
}

/** Undefined if the value is false or is not valid options. */
function optionsIn(asked: unknown, place: Place): Options | undefined {
  if (isObject(asked)) return asked
  const isWanted = parseBoolean(asked)
  if ('value' in isWanted) return isWanted.value === true ? {} : undefined
  refuse(place, 'type', `must be true, or options such as populate[${nameOf(place)}][fields]=id`)
  return undefined
}

function nameOf({ path }: Place): string {
  return path.slice(path.lastIndexOf('.') + 1)
}

function parseNode(attribute: Attribute, options: Options, place: Place): PopulateNode | undefined {
  return isReference(attribute)
    ? parseReference(attribute, options, place)
    : parseComponents(attribute, options, place)
}

const optionsOfOne = ['fields', 'filters', 'populate']
const optionsOfMany = new Set([...optionsOfOne, 'sort', 'limit', 'offset', 'total'])

function parseReference(attribute: Attribute, options: Options, place: Place): PopulateNode | undefined {
  const { deps, count } = place
  const targetName = isReference(attribute) ? targetNameOf(attribute) : ''
  const target = deps.models.get(targetName)
  const depth = place.depth + 1
  if (target === undefined) throw new Error(`no content type ${targetName}`)
  deps.named.add(targetName)
  if (depth > maxPopulateDepth) {
    return refuse(place, 'depth', `expands at most ${maxPopulateDepth} levels`)
  }
  count.relations++
  if (count.relations === maxRelations + 1) {
    deps.problems.push({
      path: 'populate',
      code: 'maxItems',
      message: `takes at most ${maxRelations} relations with options`,
    })
  }
  if (count.relations > maxRelations) return undefined
  const inside = parseLevel(options.populate, attributesOf(target), {
    ...place,
    path: `${place.path}.populate`,
    depth,
  })
  const picked = parseOptions(options, { attribute, target, inside }, place)
  return { field: attribute.name, inside, ...(picked === undefined ? {} : { picked }) }
}

interface Referred {
  readonly attribute: Attribute
  readonly target: EntryModel
  readonly inside: PopulateTree
}

function parseOptions(
  options: Options,
  { attribute, target, inside }: Referred,
  { deps, path }: Place,
): PickedEntries | undefined {
  const problems: ErrorDetail[] = []
  const reader = { raw: options, problems }
  reportUnknown(reader, isToMany(attribute) ? optionsOfMany : new Set(optionsOfOne))
  const fields = textParameter(reader, 'fields')
  const [limit, offset] = [countParameter(reader, 'limit'), countParameter(reader, 'offset')]
  const [sort, total] = [textParameter(reader, 'sort'), booleanParameter(reader, 'total')]
  const picking: Picking = {
    expanded: [...inside.keys()],
    filters: options.filters,
    ...(fields === undefined || fields.trim() === ''
      ? {}
      : { fields: fields.split(',').map((name) => name.trim()) }),
    ...(sort === undefined ? {} : { sort }),
    ...(limit === undefined ? {} : { limit }),
    ...(offset === undefined ? {} : { offset }),
    ...(total === undefined ? {} : { total }),
  }
  const picked = parsePicked(picking, target, { ...deps, problems })
  for (const problem of problems) deps.problems.push({ ...problem, path: `${path}.${problem.path}` })
  return picked
}

const optionsOfComponents = new Set(['populate', 'on'])

/** `populate` has options for all components of a zone, `on` for single components. */
function parseComponents(attribute: Attribute, options: Options, place: Place): PopulateNode {
  const problems: ErrorDetail[] = []
  reportUnknown({ raw: options, problems }, optionsOfComponents)
  for (const problem of problems)
    place.deps.problems.push({ ...problem, path: `${place.path}.${problem.path}` })
  const { populate, on } = options
  const field = attribute.name
  if (on !== undefined) {
    if (populate !== undefined) refuse(place, 'conflict', 'takes either populate or on')
    return { field, inside: new Map(), byComponent: parseOn(attribute, on, place) }
  }
  const within = { ...place, path: `${place.path}.populate` }
  if (!isObject(populate)) {
    return { field, inside: parseLevel(populate, attributesInside([attribute], place.deps), within) }
  }
  return { field, inside: new Map(), byComponent: parseForAll(attribute, populate, within) }
}

function parseOn(attribute: Attribute, on: unknown, place: Place): ReadonlyMap<string, PopulateTree> {
  const here = { ...place, path: `${place.path}.on` }
  if (!isObject(on)) {
    refuse(here, 'type', 'must name a component')
    return new Map()
  }
  const trees = Object.entries(on).flatMap(([uid, asked]): [string, PopulateTree][] => {
    const there = { ...here, path: `${here.path}.${uid}` }
    if (!componentsOf(attribute).includes(uid)) {
      refuse(there, 'unknown', `is none of ${componentsOf(attribute).join(', ')}`)
      return []
    }
    const options = optionsIn(asked, there)
    if (options === undefined) return []
    const { populate, ...others } = options
    for (const name of Object.keys(others)) refuse(there, 'unknown', `${name} is not populate`)
    return [
      [
        uid,
        parseLevel(populate, componentAttributes(uid, there), { ...there, path: `${there.path}.populate` }),
      ],
    ]
  })
  return new Map(trees)
}

/** Options for all components: each component uses the fields that it has, and a field must exist in at least one. */
function parseForAll(attribute: Attribute, asked: Options, place: Place): ReadonlyMap<string, PopulateTree> {
  const everywhere = attributesInside([attribute], place.deps)
  for (const name of Object.keys(asked)) {
    if (everywhere.get(name)?.some(isExpandable)) continue
    refuse({ ...place, path: `${place.path}.${name}` }, 'unknown', nothingToExpand(name))
  }
  const trees = componentsOf(attribute).map((uid): [string, PopulateTree] => {
    const attributes = componentAttributes(uid, place)
    const own = Object.entries(asked).filter(([name]) => attributes.get(name)?.some(isExpandable))
    return [uid, parseMembers(Object.fromEntries(own), attributes, place)]
  })
  return new Map(trees)
}

function componentAttributes(uid: string, { deps }: Place): AttributeSet {
  const attributes = deps.schemas.components.get(uid)?.attributes.values() ?? []
  return new Map([...attributes].map((attribute) => [attribute.name, [attribute]]))
}

function refuse({ deps, path }: Place, code: string, message: string): undefined {
  deps.problems.push({ path, code, message })
  return undefined
}
