import type { GraphQLSchema } from 'graphql'
import { LRUCache } from 'lru-cache'
import { upTo } from '../../../../kernel/index.ts'
import { type Auth, type ContentAction, contentActions } from '../../../accounts/auth/auth.ts'
import type { Principal } from '../../../foundation/http/http.ts'
import type { Schemas } from '../../../foundation/schemas/schemas.ts'
import { isAdmitted } from '../root-access.ts'
import type { UsableRoot } from './meaning.ts'

/** The part of the schema that a caller may use: the types that they may read, the mutations that they may send. */
export type SchemaFor = (principal: Principal) => Promise<GraphQLSchema>

export type BuildSchema = (
  may: (type: string, action: ContentAction) => boolean,
  mayUse: (root: UsableRoot) => boolean,
) => GraphQLSchema

export interface CallerSchemasParts {
  readonly schemas: Schemas
  readonly auth: Auth
  /** Builds the schema of the permitted parts. */
  readonly buildSchema: BuildSchema
  /** Root fields of plugins. */
  readonly roots: readonly UsableRoot[]
}

/** There are few roles, and most may see everything or the same parts. */
const maxKeptSchemas = 10

export function createCallerSchemas({ schemas, auth, buildSchema, roots }: CallerSchemasParts): SchemaFor {
  const kept = new LRUCache<string, GraphQLSchema>(upTo(maxKeptSchemas))
  const names = [...schemas.types.keys()]

  function schemaOf(principal: Principal, usable: ReadonlySet<UsableRoot>): GraphQLSchema {
    const allowed = names.flatMap((name) =>
      contentActions
        .filter((action) => auth.mayContent(principal, name, action))
        .map((action) => `${name} ${action}`),
    )
    const key = `${allowed.join()} ${roots.map((root) => Number(usable.has(root))).join('')}`
    const present = kept.get(key)
    if (present !== undefined) return present
    const set = new Set(allowed)
    const schema = buildSchema(
      (type, action) => set.has(`${type} ${action}`),
      (root) => usable.has(root),
    )
    kept.set(key, schema)
    return schema
  }

  return async (principal) => schemaOf(principal, new Set(await usableRoots(roots, principal)))
}

async function usableRoots(
  roots: readonly UsableRoot[],
  principal: Principal,
): Promise<readonly UsableRoot[]> {
  const verdicts = await Promise.all(roots.map((root) => isAdmitted(root, principal)))
  return roots.filter((_, index) => verdicts[index])
}
