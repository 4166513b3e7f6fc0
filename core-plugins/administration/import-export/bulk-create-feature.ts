import { Type } from 'typebox'
import type { GraphqlFeature } from '../../delivery/graphql/graphql.ts'
import { type BulkCreate, type BulkCreateOptions, bulkCreateAccess, maxEntries } from './bulk-create.ts'

const takes = Type.Object({ entries: Type.Array(Type.Unknown(), { minItems: 1, maxItems: maxEntries }) })

/** Bulk creation over GraphQL; it does the same as the route. */
export function bulkCreateFeature(bulkCreate: BulkCreate): GraphqlFeature {
  return {
    types: 'type BulkCreated { count: Int! ids: [Int!]! created: Int! updated: Int! unchanged: Int! }',
    ofType({ name, system, kind }, { object, input }) {
      if (system || kind !== 'collectionType') return {}
      return {
        mutations: {
          [`bulkCreate${object}`]: {
            ...bulkCreateAccess,
            type: 'BulkCreated',
            description:
              'Creates entries, all or none; with `match`, a unique attribute, those that are there already are changed instead',
            arguments: `entries: [${input}!]!, match: String, publish: Boolean`,
            takes,
            effort: ({ entries }) => ({ writes: (entries as readonly unknown[]).length }),
            resolve({ entries, ...options }, { principal, ip }) {
              const request = { type: name, principal, ip }
              return bulkCreate(request, entries as readonly unknown[], options as BulkCreateOptions)
            },
          },
        },
      }
    },
  }
}
