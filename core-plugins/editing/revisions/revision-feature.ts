import { Type } from 'typebox'
import { EntryReference, type GraphqlFeature, type GraphqlTypeNames } from '../../delivery/graphql/graphql.ts'
import { rangeOf, rangeQuery } from '../../foundation/http/http.ts'
import type { ContentType } from '../../foundation/schemas/schemas.ts'
import type { History } from './history.ts'
import { readAccess, restoreAccess } from './routes.ts'

const types = `
  type EntryRevisions { data: [EntryRevision!]! pagination: Pagination! }
  type EntryRevision {
    id: Int!
    "Counts the writes of the entry, beginning with 1." version: Int!
    action: String!
    "Null for the service itself, and for callers without credentials." author: RevisionAuthor
    created_at: DateTime!
    "The entry as the write left it." data: JSON
  }
  type RevisionAuthor { kind: String! id: Int! username: String! }
  type RevisionDiff { from: EntryRevision! to: EntryRevision! fields: [RevisionChange!]! }
  type RevisionChange { field: String! from: JSON to: JSON }`

/** This many revisions, read with their data, count as one statement. */
const revisionsOfStatement = 10

/** The history of entries over GraphQL. */
export function revisionFeature(history: History): GraphqlFeature {
  return {
    types,
    ofType(type, names) {
      if (type.system) return {}
      return {
        types: `type ${names.object}Restored { data: ${names.object} "What the entry does not take any more, and why." leftOut: [JSON!]! }`,
        queries: queriesOf(type, names, history),
        mutations: {
          [`restore${names.object}Revision`]: {
            ...restoreAccess,
            type: `${names.object}Restored`,
            description: 'Writes what is in a revision to its entry',
            arguments: 'id: ID!, revision: ID!',
            async resolve({ id, revision }, { principal, ip }) {
              const request = { type: type.name, id: Number(id), principal, ip }
              const { entry, leftOut } = await history.restore(request, Number(revision))
              return { data: new EntryReference(type.name, entry.id, entry), leftOut }
            },
          },
        },
      }
    },
  }
}

function queriesOf({ name }: ContentType, { findField }: GraphqlTypeNames, history: History) {
  return {
    [`${findField}Revisions`]: {
      ...readAccess,
      type: 'EntryRevisions',
      description: 'What the writes of an entry have left, newest first',
      arguments: 'id: ID!, limit: Int, offset: Int',
      takes: Type.Object(rangeQuery),
      // Each revision is as large as an entry, even if only part of it is shown.
      effort: (page, asked) => ({
        statements: asked.data?.data === undefined ? 0 : rangeOf(page).limit / revisionsOfStatement,
      }),
      async resolve({ id, ...page }, { principal, asked }) {
        const range = rangeOf(page)
        const options = { range, withData: asked.data?.data !== undefined }
        const { revisions, total } = await history.list({ type: name, id: Number(id) }, options, principal)
        return {
          data: revisions,
          pagination: { total, ...range, hasMore: range.offset + revisions.length < total },
        }
      },
    },
    [`${findField}RevisionDiff`]: {
      ...readAccess,
      type: 'RevisionDiff',
      description: 'Compares two revisions; without `to`, one with the newest',
      arguments: 'id: ID!, from: ID!, to: ID',
      resolve({ id, from, to }, { principal }) {
        const ids = { from: Number(from), to: to === undefined ? undefined : Number(to) }
        return history.diff({ type: name, id: Number(id) }, ids, principal)
      },
    },
  } satisfies NonNullable<ReturnType<NonNullable<GraphqlFeature['ofType']>>['queries']>
}
