import {
  type GraphQLField,
  GraphQLList,
  GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLUnionType,
  getNamedType,
  getNullableType,
  isAbstractType,
  isObjectType,
} from 'graphql'
import type { ContentQueries, Expansion } from '../../../entries/content/content.ts'
import { componentFieldName } from '../schema/component-field.ts'
import { type FieldMeaning, meaningOf } from '../schema/meaning.ts'
import { argumentsOf } from './arguments.ts'
import { assumedInverseEntries, assumedItems, type Cost, statementCost } from './cost.ts'
import type { FollowedEntries } from './entry-event.ts'
import type { Step } from './projection.ts'
import { type FieldNodes, type SelectionDeps, subfields } from './selected-fields.ts'

/** What compiling an operation needs, including the values of variables. */
export interface CompileContext extends SelectionDeps {
  readonly cost: Cost
  /** The page size limits of a type. */
  readonly pageLimits: ContentQueries['pageLimits']
  /** Returns an unused name under which a populated relation is stored. */
  nextName(field: string): string
  /**
   * What was found so far: fields of plugins, fields of features that do not report what they depend on, and what a
   * subscription follows.
   */
  readonly seen: { pluginFields: boolean; unobserved: boolean; followed?: FollowedEntries }
}

/** What to read for a selection, and how to build its result. */
export interface Selection {
  /** Names of the fields to load. */
  readonly fields: ReadonlySet<string>
  readonly expansions: readonly Expansion[]
  readonly steps: readonly Step[]
}

interface Gathering {
  readonly fields: Set<string>
  readonly expansions: Expansion[]
  readonly steps: Step[]
}

/**
 * Compiles the selection of entries of a type, or of items of a component.
 * @param weight the assumed number of them, for the cost
 * @throws RefusedRequest 400 once the operation costs too much, GraphQLError for invalid arguments
 */
export function compileSelection(
  type: GraphQLObjectType,
  nodes: FieldNodes,
  weight: number,
  deps: CompileContext,
): Selection {
  const gathering: Gathering = { fields: new Set(['id']), expansions: [], steps: [] }
  for (const [key, same] of subfields(type, nodes, deps)) {
    deps.cost.add(weight)
    const name = same[0].name.value
    if (name === '__typename') gathering.steps.push({ key, kind: 'constant', value: type.name })
    else if (name === componentFieldName) {
      gathering.steps.push({ key, kind: 'constant', value: type.extensions.uid ?? null })
    } else addField(gathering, fieldOf(type, name), { key, same, weight }, deps)
  }
  return gathering
}

interface Asked {
  readonly key: string
  readonly same: FieldNodes
  readonly weight: number
}

interface MeantField {
  readonly field: GraphQLField<unknown, unknown>
  readonly meaning: FieldMeaning
}

function fieldOf(type: GraphQLObjectType, name: string): MeantField {
  const field = type.getFields()[name]
  const meaning = field && meaningOf(field)
  if (field === undefined || meaning === undefined) throw new Error(`${type.name}.${name} has no meaning`)
  return { field, meaning }
}

function addField(gathering: Gathering, meant: MeantField, asked: Asked, deps: CompileContext): void {
  const { meaning } = meant
  if (meaning.kind === 'plugin') {
    addPluginField(gathering, meant, asked, deps)
    return
  }
  gathering.fields.add(meaning.name)
  if (meaning.kind === 'reference') addReference(gathering, meant, asked, deps)
  else if (meaning.kind === 'total') addTotal(gathering, meant, asked, deps)
  else if (meaning.kind === 'component') addComponent(gathering, meant, asked, deps)
  else if (meaning.kind === 'zone') addZone(gathering, meant, asked, deps)
  else gathering.steps.push({ key: asked.key, kind: 'value', name: meaning.name })
}

function addReference(gathering: Gathering, meant: MeantField, asked: Asked, deps: CompileContext): void {
  const { field, meaning } = meant
  if (meaning.kind !== 'reference') return
  // The first expansion of a field keeps its name, under which middleware expects it.
  const isFirst = gathering.expansions.every((expansion) => expansion.field !== meaning.name)
  const name = isFirst ? meaning.name : deps.nextName(meaning.name)
  const args = argumentsOf(field, asked.same, deps)
  deps.cost.add(statementCost)
  const weight =
    asked.weight * (isList(field.type) ? reckonedEntries(meaning.isInverse, args.limit, deps) : 1)
  const { fields, expansions, steps } = compileSelection(objectIn(field.type), asked.same, weight, deps)
  gathering.expansions.push({
    ...args,
    field: meaning.name,
    as: name,
    fields: [...fields],
    populate: expansions,
  })
  gathering.steps.push({ key: asked.key, kind: 'inside', name, steps })
}

/** Counted under its own name, so that the relation itself can also be requested. */
function addTotal(gathering: Gathering, { field, meaning }: MeantField, asked: Asked, deps: CompileContext) {
  if (meaning.kind !== 'total') return
  const name = deps.nextName(meaning.name)
  deps.cost.add(statementCost)
  const args = argumentsOf(field, asked.same, deps)
  gathering.expansions.push({ ...args, field: meaning.name, as: name, fields: ['id'], limit: 0, total: true })
  gathering.steps.push({ key: asked.key, kind: 'total', name })
}

/** The assumed number of items of a list in the result of a feature: its `limit`, if it has that argument. */
export function reckonedItems(
  { args }: GraphQLField<unknown, unknown>,
  { type, limit }: { readonly type: string | undefined; readonly limit: unknown },
  { pageLimits }: CompileContext,
): number {
  if (args.every(({ name }) => name !== 'limit')) return assumedItems
  const { defaultLimit, maxLimit } = pageLimits(type)
  return Math.max(1, Math.min(Number(limit ?? defaultLimit), maxLimit))
}

/** The assumed number of entries in a relation of one entry. */
function reckonedEntries(isInverse: boolean, limit: unknown, { pageLimits }: CompileContext): number {
  if (limit !== undefined) return Math.max(1, Math.min(Number(limit), pageLimits(undefined).maxLimit))
  return isInverse ? assumedInverseEntries : assumedItems
}

function addComponent(
  gathering: Gathering,
  { field, meaning }: MeantField,
  asked: Asked,
  deps: CompileContext,
) {
  if (meaning.kind !== 'component') return
  const weight = isList(field.type) ? asked.weight * assumedItems : asked.weight
  const inside = compileSelection(objectIn(field.type), asked.same, weight, deps)
  const { name, uid } = meaning
  if (inside.expansions.length > 0) {
    gathering.expansions.push(componentExpansion(name, deps, { [uid]: inside.expansions }))
  }
  gathering.steps.push({ key: asked.key, kind: 'inside', name, steps: inside.steps })
}

function addZone(
  gathering: Gathering,
  { field, meaning }: MeantField,
  asked: Asked,
  deps: CompileContext,
): void {
  const union = getNamedType(field.type)
  if (meaning.kind !== 'zone' || !(union instanceof GraphQLUnionType)) return
  const stepsOf = new Map<string, readonly Step[]>()
  const inComponents: Record<string, readonly Expansion[]> = {}
  const compileMember = (member: GraphQLObjectType) => () => {
    const uid = meaning.uidOf.get(member.name) ?? ''
    const inside = compileSelection(member, asked.same, asked.weight * assumedItems, deps)
    stepsOf.set(uid, [{ kind: 'source' }, ...inside.steps])
    if (inside.expansions.length > 0) inComponents[uid] = inside.expansions
  }
  deps.cost.dearest(deps.schema.getPossibleTypes(union).map(compileMember))
  if (Object.keys(inComponents).length > 0) {
    gathering.expansions.push(componentExpansion(meaning.name, deps, inComponents))
  }
  gathering.steps.push({ key: asked.key, kind: 'blocks', name: meaning.name, stepsOf })
}

/** Nothing is stored under the name; it only distinguishes the expansion from others of the same field. */
function componentExpansion(
  field: string,
  deps: CompileContext,
  inComponents: Readonly<Record<string, readonly Expansion[]>>,
): Expansion {
  return { field, as: deps.nextName(field), inComponents }
}

/** The plugin's loader is called with the entry, and GraphQL itself resolves the selection of its result. */
function addPluginField(
  gathering: Gathering,
  { field, meaning }: MeantField,
  asked: Asked,
  deps: CompileContext,
): void {
  if (meaning.kind !== 'plugin') return
  deps.seen.pluginFields = true
  deps.cost.add(statementCost)
  argumentsOf(field, asked.same, deps)
  for (const name of meaning.definition.needs ?? []) gathering.fields.add(name)
  gathering.steps.push({ kind: 'source' })
  addCostInside(field.type, asked, deps)
}

/** Adds the cost of the fields inside a plugin's value. */
export function addCostInside(
  type: GraphQLOutputType,
  { same, weight }: Pick<Asked, 'same' | 'weight'>,
  deps: CompileContext,
): void {
  const named = getNamedType(type)
  const each = isList(type) ? weight * assumedItems : weight
  const addFields = (object: GraphQLObjectType) => () => {
    for (const nodes of subfields(object, same, deps).values()) {
      deps.cost.add(each)
      const field = object.getFields()[nodes[0].name.value]
      if (field !== undefined) addCostInside(field.type, { same: nodes, weight: each }, deps)
    }
  }
  if (isObjectType(named)) addFields(named)()
  else if (isAbstractType(named)) deps.cost.dearest(deps.schema.getPossibleTypes(named).map(addFields))
}

/** The object type inside lists and non-nulls. */
export function objectIn(type: GraphQLOutputType): GraphQLObjectType {
  const named = getNamedType(type)
  if (named instanceof GraphQLObjectType) return named
  throw new Error(`${named} has no fields`)
}

export function isList(type: GraphQLOutputType): boolean {
  return getNullableType(type) instanceof GraphQLList
}
