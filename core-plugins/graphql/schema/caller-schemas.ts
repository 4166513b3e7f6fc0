import type { GraphQLSchema } from 'graphql'
import { LRUCache } from 'lru-cache'
import type { Auth, ContentAction } from '../../auth/auth.ts'
import type { Principal } from '../../http/http.ts'
import type { Schemas } from '../../schemas/schemas.ts'

/** The part of the schema that somebody may use: the types that they may read, the mutations that they may send. */
export type SchemaFor = (principal: Principal) => GraphQLSchema

export interface CallerSchemasParts {
  readonly schemas: Schemas
  readonly auth: Auth
  /** The schema of what is left to somebody. */
  readonly buildSchema: (may: (type: string, action: ContentAction) => boolean) => GraphQLSchema
}

/** Roles are few, and most see either everything or the same parts. */
const maxKeptSchemas = 10

const actions: readonly ContentAction[] = ['read', 'create', 'update', 'delete', 'publish']

export function createCallerSchemas({ schemas, auth, buildSchema }: CallerSchemasParts): SchemaFor {
  const kept = new LRUCache<string, GraphQLSchema>({ max: maxKeptSchemas })
  const names = [...schemas.types.keys()]

  return (principal) => {
    const allowed = names.flatMap((name) =>
      actions
        .filter((action) => auth.mayContent(principal, name, action))
        .map((action) => `${name} ${action}`),
    )
    const key = allowed.join()
    const present = kept.get(key)
    if (present !== undefined) return present
    const set = new Set(allowed)
    const schema = buildSchema((type, action) => set.has(`${type} ${action}`))
    kept.set(key, schema)
    return schema
  }
}
