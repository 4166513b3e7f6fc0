import { Type } from 'typebox'
import { rangeOf } from '../../foundation/http/http.ts'
import { EntryReference, type GraphqlFeature } from '../graphql/graphql.ts'
import { searchAccess, searchQuery } from './route.ts'
import { type PrefixMode, prefixModes, type Search } from './search.ts'

const names = Type.Optional(Type.Array(Type.String({ maxLength: 1_000 }), { minItems: 1, maxItems: 100 }))

/** Search over GraphQL: the results of the route, with the selected fields of entries. */
export function searchFeature(search: Search): GraphqlFeature {
  return {
    types: `
      enum SearchPrefix { ${prefixModes.join(' ')} }
      type SearchHits { data: [SearchHit!]! pagination: Pagination! }
      type SearchHit {
        "The singular name of the type." type: String!
        id: Int!
        title: String
        "Larger is better; comparable within one answer only." score: Float!
        "HTML by field, with matches in <mark>." highlights: JSON!
        "With typos: words of the search, and what stands in the texts instead." corrections: JSON
        entry: AnyEntry
      }`,
    queries: {
      search: {
        type: 'SearchHits',
        description: 'All content that the caller may read, best first',
        arguments:
          'q: String!, types: [String!], fields: [String!], prefix: SearchPrefix, typos: Boolean, locale: String, limit: Int, offset: Int',
        ...searchAccess,
        isObserved: true,
        takes: Type.Object({ ...searchQuery, types: names, fields: names }),
        async resolve(args, { principal, recipient }) {
          const { q, types, fields, prefix, typos, locale, ...page } = args as unknown as Asked
          const range = rangeOf(page)
          const asked = { text: q, types, fields, prefix, typos, locale, ...range }
          const { hits, total } = await search.search({
            ...asked,
            principal,
            ...(recipient && { recipient }),
          })
          return {
            data: hits.map((hit) => ({ ...hit, entry: new EntryReference(hit.type, hit.id) })),
            pagination: { total, ...range, hasMore: range.offset + hits.length < total },
          }
        },
      },
    },
  }
}

interface Asked {
  readonly q: string
  readonly types: readonly string[] | undefined
  readonly fields: readonly string[] | undefined
  readonly prefix: PrefixMode | undefined
  readonly typos: boolean | undefined
  readonly locale: string | undefined
  readonly limit?: number
  readonly offset?: number
}
