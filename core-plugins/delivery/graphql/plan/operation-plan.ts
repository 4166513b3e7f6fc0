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

/** An operation with the values of its variables; can run repeatedly, for any caller. */
export interface OperationPlan {
  readonly isMutation: boolean
  /** Whether any field needs a resolver of a plugin. */
  readonly hasPluginFields: boolean
  /** Whether any field belongs to a feature whose reads do not report what they depend on. */
  readonly hasUnobserved: boolean
  /** The content types that the document names, also in other operations. */
  readonly namedTypes: ReadonlySet<string>
  /** The entries that a subscription follows; undefined for other operations. */
  readonly followed: FollowedEntries | undefined
  /** The root fields, by response key. */
  readonly roots: ReadonlyMap<string, RootPlan>
  /** The document to execute. Most root fields have no selection in it, since their contents are part of the plan. */
  readonly document: DocumentNode
}

export type RootPlan =
  | { readonly kind: 'run'; readonly run: RunRoot; readonly seen: CompileContext['seen'] }
  | { readonly kind: 'constant'; readonly value: unknown }
  | IntrospectionPlan

/** `__schema`, `__type` and `_service`, whose results depend on the caller. */
export interface IntrospectionPlan {
  readonly kind: 'introspection'
  readonly field: IntrospectedField
  /** Whether the field serves the composition of a supergraph. */
  readonly isForGateways: boolean
}

/** The field that replaces root fields whose value is resolved as a whole. */
export const answerFieldName = '__answer'

export interface PlanOptions {
  /** The schema of all content types. */
  readonly schema: GraphQLSchema
  readonly namedTypesIn: NamedTypes
  readonly maxCost: number
  /** The page size limits of a type. */
  readonly pageLimits: ContentQueries['pageLimits']
}

/**
 * Plans what an operation of a valid document reads and writes.
 * @throws RefusedRequest 400 for invalid variables, and if the operation is too expensive
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

/** A subscription has exactly one root field. */
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

/** The introspection field of that name. */
function tellingField(type: GraphQLObjectType, name: string): GraphQLField<unknown, unknown> | undefined {
  if (name === '__schema') return SchemaMetaFieldDef
  if (name === '__type') return TypeMetaFieldDef
  return name === '_service' ? type.getFields()[name] : undefined
}

/** Fields that contain fields of plugins are executed with their selection, so that their resolvers are called. */
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

/** Names with `@`, which no attribute name contains. */
function nameCounter(): (field: string) => string {
  let count = 0
  return (field) => `${field}@${count++}`
}
