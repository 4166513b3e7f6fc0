import { EntryReference, type GraphqlFeature } from '../../delivery/graphql/graphql.ts'
import type { Content } from '../../entries/content/content.ts'
import { discardAccess, type FindChanges, readAccess } from './routes.ts'

/** Pending drafts over GraphQL: their changes, and discarding them. */
export function draftFeature(content: Content, findChanges: FindChanges): GraphqlFeature {
  return {
    types: `
      type DraftChanges { fields: [DraftChange!]! updated_at: DateTime! }
      type DraftChange { field: String! live: JSON draft: JSON }`,
    ofType({ name, system, options }, { object, answer, findField }) {
      if (system || !options.draftOverlay) return {}
      return {
        queries: {
          [`${findField}Draft`]: {
            ...readAccess,
            type: 'DraftChanges',
            description: 'What the draft beside an entry changes',
            arguments: 'id: ID!',
            resolve: ({ id }, { principal }) => findChanges({ type: name, id: Number(id) }, principal),
          },
        },
        mutations: {
          [`discard${object}Draft`]: {
            ...discardAccess,
            type: answer,
            description: 'Drops the draft beside an entry, which stays as it is',
            arguments: 'id: ID!',
            async resolve({ id }, { principal, ip }) {
              const entry = await content.discard({ type: name, id: Number(id), principal, ip })
              return { data: new EntryReference(name, entry.id, entry) }
            },
          },
        },
      }
    },
  }
}
