import type { Auth } from '../../../accounts/auth/auth.ts'
import { AnswerTooLarge } from '../../../entries/content/content.ts'
import { AppError, type Principal } from '../../../foundation/http/http.ts'
import type { Schemas } from '../../../foundation/schemas/schemas.ts'
import { introspect, maxIntrospectedValues } from '../plan/introspected.ts'
import type { IntrospectionPlan } from '../plan/operation-plan.ts'
import type { SchemaFor } from '../schema/caller-schemas.ts'

export interface IntrospectionRequest {
  readonly plan: IntrospectionPlan
  readonly principal: Principal
  /** How many values the operation has received so far. */
  readonly told: { values: number }
}

/** Resolves `__schema`, `__type` and `_service`; rejects with an AppError 401 or 403, or AnswerTooLarge. */
export type Introspect = (request: IntrospectionRequest) => Promise<unknown>

export interface IntrospectionParts {
  readonly schemas: Schemas
  readonly auth: Auth
  /** Whether introspection is enabled. */
  readonly isOn: () => boolean
  readonly schemaFor: SchemaFor
}

/** Callers see the types that they may read and the mutations that they may send. */
export function createIntrospection({ schemas, auth, isOn, schemaFor }: IntrospectionParts): Introspect {
  const names = [...schemas.types.keys()]

  return async ({ plan, principal, told }) => {
    // The introspection of a subgraph by gateways has its own setting.
    if (!isOn() && !plan.isForGateways) {
      throw AppError.forbidden('introspection is switched off (api.graphql.introspection)')
    }
    const maySee =
      auth.mayMedia(principal, 'read') || names.some((name) => auth.mayContent(principal, name, 'read'))
    if (!maySee) auth.refuse(principal)
    const schema = await schemaFor(principal)
    const most = maxIntrospectedValues(schema)
    return introspect(plan.field, undefined, schema, () => {
      told.values += 1
      if (told.values > most) throw tooMuch()
    })
  }
}

function tooMuch(): AnswerTooLarge {
  const message = 'asks too much of the schema at a time'
  return new AnswerTooLarge({ path: 'query', code: 'cost', message })
}
