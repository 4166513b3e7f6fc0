import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  getVariableValues,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  SchemaMetaFieldDef,
  TypeMetaFieldDef,
} from 'graphql'
import type { ContentQueries } from '../../../entries/content/content.ts'
import type { NamedTypes } from '../document/named-types.ts'
import { refuseInvalid, refuseRule } from '../errors.ts'
import type { RunRoot } from './call.ts'
import { createCost } from './cost.ts'
import type { FollowedEntries } from './entry-event.ts'
import { compileIntrospected, type IntrospectedField } from './introspected.ts'
import { compileRoot } from './root-fields.ts'
import { type FieldNodes, selectedFields } from './selected-fields.ts'
import type { CompileContext } from './selection.ts'

/** An operation with the values of its variables; may be run over and over, for whoever calls. */
export interface OperationPlan {
  readonly isMutation: boolean
  /** Whether any field of it has to be resolved by a plugin. */
  readonly hasPluginFields: boolean
  /** Whether a feature answers any field of it whose reads do not tell what they depend on. */
  readonly hasUnobserved: boolean
  /** The content types that its document names, be it in another operation. */
  readonly namedTypes: ReadonlySet<string>
  /** What a subscription follows; undefined for other operations. */
  readonly followed: FollowedEntries | undefined
  /** The fields of the operation, by the names under which they are answered. */
  readonly roots: ReadonlyMap<string, RootPlan>
  /** What is executed: of most fields only that they are to be answered, as what stands inside is part of the plan. */
  readonly document: DocumentNode
}

export type RootPlan =
  | { readonly kind: 'run'; readonly run: RunRoot; readonly seen: CompileContext['seen'] }
  | { readonly kind: 'constant'; readonly value: unknown }
  | IntrospectionPlan

/** `__schema`, `__type` and `_service`, whose answers depend on who asks. */
export interface IntrospectionPlan {
  readonly kind: 'introspection'
  readonly field: IntrospectedField
  /** Asked by what composes a supergraph. */
  readonly isForGateways: boolean
}

/** A field of what is executed that is answered as a whole, whichever field was asked for. */
export const answerFieldName = '__answer'

export interface PlanOptions {
  /** Of all content types. */
  readonly schema: GraphQLSchema
  readonly namedTypesIn: NamedTypes
  readonly maxCost: number
  /** How many entries a list of a type may have. */
  readonly pageLimits: ContentQueries['pageLimits']
}

/**
 * Works out what an operation of a valid document reads and writes.
 * @throws RefusedRequest 400 for variables that do not fit, and for what costs too much
 */
export function planOperation(
  document: DocumentNode,
  operation: OperationDefinitionNode,
  inputs: Readonly<Record<string, unknown>>,
  { schema, namedTypesIn, maxCost, ...limits }: PlanOptions,
): OperationPlan {
  const type = schema.getRootType(operation.operation)
  if (type == null) throw refuseRule('operation', `there is no ${operation.operation} to be served`)
  const fragments = document.definitions.filter((each) => each.kind === Kind.FRAGMENT_DEFINITION)
  const deps: Omit<CompileContext, 'seen'> = {
    ...limits,
    schema,
    fragments: new Map(fragments.map((fragment) => [fragment.name.value, fragment])),
    variables: variablesOf(operation, inputs, schema),
    cost: createCost(maxCost),
    nextName: nameCounter(),
  }
  try {
    const fields = [...selectedFields(type, [operation.selectionSet], deps)]
    const alone = (nodes: readonly FieldNode[]) => documentOf(operation, nodes, fragments)
    const roots = new Map(fields.map(([key, nodes]) => [key, planRoot(key, type, nodes, deps)]))
    const executed = fields.flatMap(([key, nodes]) => executedNodes(key, nodes, roots.get(key)))
    const hasPluginFields = [...roots.values()].some(isOfPlugins)
    return {
      isMutation: operation.operation === OperationTypeNode.MUTATION,
      hasPluginFields,
      hasUnobserved: [...roots.values()].some((root) => root.kind === 'run' && root.seen.unobserved),
      namedTypes: namedTypesIn(document),
      followed: followedIn(roots),
      roots,
      document: hasPluginFields
        ? alone(executed)
        : documentOf({ ...operation, variableDefinitions: [] }, executed, []),
    }
  } catch (error) {
    if (error instanceof GraphQLError) throw refuseInvalid([error])
    throw error
  }
}

/** A subscription has one field. */
function followedIn(roots: ReadonlyMap<string, RootPlan>): FollowedEntries | undefined {
  const [root] = roots.values()
  return root?.kind === 'run' ? root.seen.followed : undefined
}

function planRoot(
  key: string,
  type: GraphQLObjectType,
  nodes: FieldNodes,
  deps: Omit<CompileContext, 'seen'>,
): RootPlan {
  const name = nodes[0].name.value
  if (name === '__typename') return { kind: 'constant', value: type.name }
  const telling = tellingField(type, name)
  if (telling !== undefined) {
    const field = compileIntrospected(key, telling, nodes, deps)
    return { kind: 'introspection', field, isForGateways: name === '_service' }
  }
  const seen = { pluginFields: false, unobserved: false }
  const run = compileRoot(type, nodes, { ...deps, seen })
  return { kind: 'run', run, seen }
}

/** The field by which a schema tells of itself. */
function tellingField(type: GraphQLObjectType, name: string): GraphQLField<unknown, unknown> | undefined {
  if (name === '__schema') return SchemaMetaFieldDef
  if (name === '__type') return TypeMetaFieldDef
  return name === '_service' ? type.getFields()[name] : undefined
}

/** A field with fields of plugins in it is executed as it stands, so that their resolvers are called. */
function executedNodes(key: string, nodes: FieldNodes, root: RootPlan | undefined): readonly FieldNode[] {
  if (isOfPlugins(root)) return nodes
  return [
    {
      kind: Kind.FIELD,
      alias: { kind: Kind.NAME, value: key },
      name: { kind: Kind.NAME, value: answerFieldName },
    },
  ]
}

function isOfPlugins(root: RootPlan | undefined): boolean {
  return root?.kind === 'run' && root.seen.pluginFields
}

function documentOf(
  operation: OperationDefinitionNode,
  selections: readonly FieldNode[],
  fragments: readonly FragmentDefinitionNode[],
): DocumentNode {
  const selectionSet = { kind: Kind.SELECTION_SET, selections } as const
  return { kind: Kind.DOCUMENT, definitions: [{ ...operation, selectionSet }, ...fragments] }
}

function variablesOf(
  operation: OperationDefinitionNode,
  inputs: Readonly<Record<string, unknown>>,
  schema: GraphQLSchema,
): Readonly<Record<string, unknown>> {
  try {
    const { errors, coerced } = getVariableValues(schema, operation.variableDefinitions ?? [], inputs, {
      maxErrors: 20,
    })
    if (errors !== undefined) throw refuseInvalid(errors)
    return coerced
  } catch (error) {
    if (error instanceof RangeError) throw refuseRule('depth', 'the variables are nested too deeply')
    throw error
  }
}

/** No attribute has a name with such a character in it. */
function nameCounter(): (field: string) => string {
  let count = 0
  return (field) => `${field}@${count++}`
}
