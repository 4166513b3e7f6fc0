import { type DocumentNode, executeSync, Kind } from 'graphql'
import type { Auth } from '../../auth/auth.ts'
import { AppError, type Principal } from '../../http/http.ts'
import type { Schemas } from '../../schemas/schemas.ts'
import type { SchemaFor } from '../schema/caller-schemas.ts'

export interface IntrospectionRequest {
  /** With one field, `__schema`, `__type` or `_service`. */
  readonly document: DocumentNode
  /** The name under which it is answered. */
  readonly key: string
  readonly variables: Readonly<Record<string, unknown>>
  readonly principal: Principal
}

/** Answers `__schema`, `__type` and `_service`; rejects with an AppError 401 or 403. */
export type Introspect = (request: IntrospectionRequest) => Promise<unknown>

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

  return async ({ document, key, variables, principal }) => {
    if (!isOn() && !asksAsGateway(document)) {
      throw AppError.forbidden('introspection is switched off (api.graphql.introspection)')
    }
    const maySee =
      auth.mayMedia(principal, 'read') || names.some((name) => auth.mayContent(principal, name, 'read'))
    if (!maySee) auth.refuse(principal)
    const { data, errors } = executeSync({
      schema: await schemaFor(principal),
      document,
      variableValues: variables,
    })
    if (errors?.[0] !== undefined) throw new AppError('VALIDATION_ERROR', errors[0].message)
    return data?.[key] ?? null
  }
}

/** What a subgraph tells gateways has a setting of its own. */
function asksAsGateway({ definitions: [operation] }: DocumentNode): boolean {
  if (operation?.kind !== Kind.OPERATION_DEFINITION) return false
  return operation.selectionSet.selections.every(
    (each) => each.kind === Kind.FIELD && each.name.value === '_service',
  )
}
