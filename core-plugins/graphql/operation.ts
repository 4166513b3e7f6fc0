import {
  type FieldNode,
  GraphQLError,
  type GraphQLObjectType,
  type GraphQLSchema,
  getVariableValues,
  type OperationDefinitionNode,
  OperationTypeNode,
} from 'graphql'
import { collectFields } from 'graphql/execution/collectFields.js'
import { createCost } from './cost.ts'
import type { CheckedDocument } from './document.ts'
import { refuseInvalid, refuseRule } from './errors.ts'
import { compileRoot, type RunRoot } from './roots.ts'
import type { CompileScope } from './selection.ts'

/** An operation with the values of its variables; may be run over and over, for whoever calls. */
export interface PreparedOperation {
  readonly isMutation: boolean
  readonly roots: readonly PreparedRoot[]
}

export type PreparedRoot =
  | { readonly key: string; readonly kind: 'run'; readonly run: RunRoot }
  | { readonly key: string; readonly kind: 'constant'; readonly value: unknown }
  /** `__schema` and `__type`, whose answers depend on who asks. */
  | { readonly key: string; readonly kind: 'introspection'; readonly nodes: readonly FieldNode[] }

export interface OperationOptions {
  readonly schema: GraphQLSchema
  readonly maxCost: number
  readonly defaultLimit: number
  readonly maxLimit: number
}

/** @throws RefusedRequest 400 for variables that do not fit, and for what costs too much */
export function prepareOperation(
  document: CheckedDocument,
  operation: OperationDefinitionNode,
  inputs: Readonly<Record<string, unknown>>,
  options: OperationOptions,
): PreparedOperation {
  const { schema, maxCost, ...limits } = options
  const scope: CompileScope = {
    ...limits,
    schema,
    fragments: document.fragments,
    variables: variablesOf(operation, inputs, schema),
    cost: createCost(maxCost),
    nextName: nameCounter(),
  }
  const type = schema.getRootType(operation.operation)
  if (type == null) throw refuseRule('operation', `there is no ${operation.operation} to be served`)
  try {
    const fields = collectFields(
      schema,
      { ...scope.fragments },
      { ...scope.variables },
      type,
      operation.selectionSet,
    )
    return {
      isMutation: operation.operation === OperationTypeNode.MUTATION,
      roots: [...fields].map(([key, nodes]) => prepareRoot(key, type, nodes, scope)),
    }
  } catch (error) {
    if (error instanceof GraphQLError) throw refuseInvalid([error])
    throw error
  }
}

function prepareRoot(
  key: string,
  type: GraphQLObjectType,
  nodes: readonly FieldNode[],
  scope: CompileScope,
): PreparedRoot {
  const name = nodes[0]?.name.value
  if (name === '__typename') return { key, kind: 'constant', value: type.name }
  if (name === '__schema' || name === '__type') return { key, kind: 'introspection', nodes }
  return { key, kind: 'run', run: compileRoot(type, nodes, scope) }
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
