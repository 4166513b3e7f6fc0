import { executeSync, type FieldNode, type GraphQLSchema, Kind, type OperationDefinitionNode } from 'graphql'
import type { Auth } from '../auth/auth.ts'
import { AppError, type Principal } from '../http/http.ts'
import type { Schemas } from '../schemas/schemas.ts'
import type { SchemaFor } from './caller-schemas.ts'
import type { CheckedDocument } from './document.ts'

export interface IntrospectionRequest {
  readonly document: CheckedDocument
  readonly operation: OperationDefinitionNode
  readonly nodes: readonly FieldNode[]
  readonly key: string
  readonly variables: Readonly<Record<string, unknown>>
  readonly principal: Principal
}

/** Answers `__schema` and `__type`. @throws AppError 401, 403 */
export type Introspect = (request: IntrospectionRequest) => unknown

export interface IntrospectionParts {
  readonly schemas: Schemas
  readonly auth: Auth
  /** Whether the setting allows it. */
  readonly isOn: () => boolean
  readonly schemaFor: SchemaFor
}

/** Callers are told of the types that they may read, and of the mutations that they may send. */
export function createIntrospection({ schemas, auth, isOn, schemaFor }: IntrospectionParts): Introspect {
  const names = [...schemas.types.keys()]

  return (request) => {
    const { principal } = request
    if (!isOn()) {
      throw AppError.forbidden('introspection is switched off (api.graphql.introspection)')
    }
    if (!names.some((name) => auth.mayContent(principal, name, 'read'))) auth.refuse(principal)
    return run(request, schemaFor(principal))
  }
}

/** By graphql-js itself, which knows all of introspection. */
function run({ document, operation, nodes, key, variables }: IntrospectionRequest, schema: GraphQLSchema) {
  const alone: OperationDefinitionNode = {
    ...operation,
    selectionSet: { kind: Kind.SELECTION_SET, selections: [...nodes] },
  }
  const result = executeSync({
    schema,
    document: { kind: Kind.DOCUMENT, definitions: [alone, ...Object.values(document.fragments)] },
    variableValues: { ...variables },
  })
  const [error] = result.errors ?? []
  if (error !== undefined) throw error
  return result.data?.[key] ?? null
}
