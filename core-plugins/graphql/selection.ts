import {
  type FieldNode,
  type GraphQLField,
  GraphQLList,
  GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  GraphQLUnionType,
  getArgumentValues,
  getNamedType,
  getNullableType,
} from 'graphql'
import { collectSubfields } from 'graphql/execution/collectFields.js'
import type { Expansion } from '../content/content.ts'
import { componentFieldName } from './component-field.ts'
import { assumedInverseEntries, assumedItems, type Cost, statementCost } from './cost.ts'
import type { CheckedDocument } from './document.ts'
import { toFilters } from './filters.ts'
import type { Step } from './projection.ts'
import { type FieldMeaning, meaningOf } from './schema/meaning.ts'

/** What compiling an operation needs; values of variables are part of it. */
export interface CompileScope {
  readonly schema: GraphQLSchema
  readonly fragments: CheckedDocument['fragments']
  readonly variables: Readonly<Record<string, unknown>>
  readonly cost: Cost
  /** Entries on a page where a list is asked for without a limit, and the most. */
  readonly defaultLimit: number
  readonly maxLimit: number
  /** Names under which found entries are put; each is given once. */
  nextName(field: string): string
}

/** What to read so that a selection can be answered, and how to answer it. */
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

/** The fields that `nodes` select of a type, by the names under which they are answered. */
export function subfields(
  type: GraphQLObjectType,
  nodes: readonly FieldNode[],
  { schema, fragments, variables }: CompileScope,
): [string, readonly FieldNode[], FieldNode][] {
  const found = collectSubfields(schema, { ...fragments }, { ...variables }, type, nodes)
  return [...found].flatMap(([key, same]): [string, readonly FieldNode[], FieldNode][] =>
    same[0] === undefined ? [] : [[key, same, same[0]]],
  )
}

/**
 * Compiles what is selected of entries of a type, or of items of a component.
 * @param weight how many of them there may be, for the cost
 * @throws RefusedRequest 400 once the operation costs too much, GraphQLError for bad arguments
 */
export function compileSelection(
  type: GraphQLObjectType,
  nodes: readonly FieldNode[],
  weight: number,
  scope: CompileScope,
): Selection {
  const gathering: Gathering = { fields: new Set(['id']), expansions: [], steps: [] }
  for (const [key, same, first] of subfields(type, nodes, scope)) {
    scope.cost.add(weight)
    const name = first.name.value
    if (name === '__typename') gathering.steps.push({ key, kind: 'constant', value: type.name })
    else if (name === componentFieldName) {
      gathering.steps.push({ key, kind: 'constant', value: type.extensions.uid ?? null })
    } else addField(gathering, fieldOf(type, name), { key, same, weight }, scope)
  }
  return gathering
}

interface Asked {
  readonly key: string
  readonly same: readonly FieldNode[]
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

function addField(gathering: Gathering, meant: MeantField, asked: Asked, scope: CompileScope): void {
  const { meaning } = meant
  gathering.fields.add(meaning.name)
  if (meaning.kind === 'reference') addReference(gathering, meant, asked, scope)
  else if (meaning.kind === 'component') addComponent(gathering, meant, asked, scope)
  else if (meaning.kind === 'zone') addZone(gathering, meant, asked, scope)
  else gathering.steps.push({ key: asked.key, kind: 'value', name: meaning.name })
}

function addReference(gathering: Gathering, meant: MeantField, asked: Asked, scope: CompileScope): void {
  const { field, meaning } = meant
  // Under its own name once, where middleware looks for it.
  const isFirst = gathering.expansions.every((expansion) => expansion.field !== meaning.name)
  const name = isFirst ? meaning.name : scope.nextName(meaning.name)
  const args = argumentsOf(field, asked.same, scope)
  scope.cost.add(statementCost)
  const weight = asked.weight * (isList(field.type) ? reckonedEntries(meaning, args.limit, scope) : 1)
  const { fields, expansions, steps } = compileSelection(objectIn(field.type), asked.same, weight, scope)
  gathering.expansions.push({
    ...args,
    field: meaning.name,
    as: name,
    fields: [...fields],
    populate: expansions,
  })
  gathering.steps.push({ key: asked.key, kind: 'inside', name, steps })
}

/** How many entries a relation of one entry may lead to. */
function reckonedEntries(meaning: FieldMeaning, limit: unknown, { maxLimit }: CompileScope): number {
  if (limit !== undefined) return Math.max(1, Math.min(Number(limit), maxLimit))
  return meaning.kind === 'reference' && meaning.isInverse ? assumedInverseEntries : assumedItems
}

function addComponent(
  gathering: Gathering,
  { field, meaning }: MeantField,
  asked: Asked,
  scope: CompileScope,
) {
  if (meaning.kind !== 'component') return
  const weight = isList(field.type) ? asked.weight * assumedItems : asked.weight
  const inside = compileSelection(objectIn(field.type), asked.same, weight, scope)
  const { name, uid } = meaning
  if (inside.expansions.length > 0) {
    gathering.expansions.push(componentExpansion(name, scope, { [uid]: inside.expansions }))
  }
  gathering.steps.push({ key: asked.key, kind: 'inside', name, steps: inside.steps })
}

function addZone(
  gathering: Gathering,
  { field, meaning }: MeantField,
  asked: Asked,
  scope: CompileScope,
): void {
  const union = getNamedType(field.type)
  if (meaning.kind !== 'zone' || !(union instanceof GraphQLUnionType)) return
  const stepsOf = new Map<string, readonly Step[]>()
  const inComponents: Record<string, readonly Expansion[]> = {}
  const compileMember = (member: GraphQLObjectType) => () => {
    const uid = meaning.uidOf.get(member.name) ?? ''
    const inside = compileSelection(member, asked.same, asked.weight * assumedItems, scope)
    stepsOf.set(uid, inside.steps)
    if (inside.expansions.length > 0) inComponents[uid] = inside.expansions
  }
  scope.cost.dearest(scope.schema.getPossibleTypes(union).map(compileMember))
  if (Object.keys(inComponents).length > 0) {
    gathering.expansions.push(componentExpansion(meaning.name, scope, inComponents))
  }
  gathering.steps.push({ key: asked.key, kind: 'blocks', name: meaning.name, stepsOf })
}

/** Nothing is put under the name of a component's expansion; it only tells it from others of the same field. */
function componentExpansion(
  field: string,
  scope: CompileScope,
  inComponents: Readonly<Record<string, readonly Expansion[]>>,
): Expansion {
  return { field, as: scope.nextName(field), inComponents }
}

/** The arguments of a field in the words of the content service. */
export function argumentsOf(
  field: GraphQLField<unknown, unknown>,
  [node]: readonly FieldNode[],
  { variables }: CompileScope,
): Readonly<Record<string, unknown>> {
  if (node === undefined || field.args.length === 0) return {}
  const values = getArgumentValues(field, node, { ...variables })
  const given = Object.entries(values).filter(([, value]) => value !== null && value !== undefined)
  const filters = field.args.find(({ name }) => name === 'filters')
  return Object.fromEntries(
    given.map(([name, value]) => [
      name,
      name === 'filters' && filters !== undefined ? toFilters(value, filters.type) : value,
    ]),
  )
}

/** The object type behind lists and non-nulls. */
export function objectIn(type: GraphQLOutputType): GraphQLObjectType {
  const named = getNamedType(type)
  if (named instanceof GraphQLObjectType) return named
  throw new Error(`${named} has no fields`)
}

function isList(type: GraphQLOutputType): boolean {
  return getNullableType(type) instanceof GraphQLList
}
