import { Type } from 'typebox'
import type { Auth } from '../../accounts/auth/auth.ts'
import {
  defineRoute,
  type Policy,
  type Route,
  rangeOf,
  rangePage,
  rangeQuery,
  strict,
} from '../../foundation/http/http.ts'
import type { Schemas } from '../../foundation/schemas/schemas.ts'
import type { Search } from './search.ts'
import { prefixModes } from './terms.ts'

const hit = Type.Object(
  {
    type: Type.String(),
    id: Type.Integer(),
    title: Type.Union([Type.String(), Type.Null()]),
    score: Type.Number({ description: 'Larger is better; comparable within one answer only' }),
    highlights: Type.Record(Type.String(), Type.String(), {
      description: 'HTML by field, with matches in `<mark>`; `blocks.0.text` is a field in a component',
    }),
    corrections: Type.Optional(
      Type.Record(Type.String(), Type.Array(Type.String()), {
        description: 'With `typos`: words of the search, and what stands in the texts instead',
      }),
    ),
    entry: Type.Object({ id: Type.Integer() }, { additionalProperties: true }),
  },
  strict,
)

export const searchAccess = {
  access: 'permission',
  scope: 'content:read',
  policies: ['content.readAny'],
} as const

/** The parameters besides types and fields. */
export const searchQuery = {
  q: Type.String({
    minLength: 1,
    maxLength: 1_000,
    description: 'Words, `"phrases"`, `begin*` and `-exclusions`',
  }),
  prefix: Type.Optional(
    Type.Union(
      prefixModes.map((mode) => Type.Literal(mode)),
      { default: 'last', description: 'Which words may be the beginning of one, besides `begin*`' },
    ),
  ),
  typos: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'Finds words with typing errors: one from 4 letters, two from 7; what needs none comes first',
    }),
  ),
  locale: Type.Optional(Type.String({ minLength: 1, maxLength: 35 })),
  ...rangeQuery,
}

/** Search over all content types (specification, "Content"; see docs/search.md). */
export function searchRoute(search: Search): Route {
  return defineRoute({
    name: 'content:search.find',
    tool: {
      name: 'search',
      description:
        'Searches the texts of all content, best first. Begin here where you do not know the type.',
    },
    method: 'GET',
    path: '/search',
    summary: 'Search all content that the caller may read, best first',
    tag: 'search',
    ...searchAccess,
    load: 'dear',
    isPaginated: true,
    query: Type.Object(
      {
        ...searchQuery,
        fields: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 1_000,
            description:
              'Only words in these fields count, separated by commas; `blocks.text` is a field in components, `blocks` stands for all inside of it',
          }),
        ),
        types: Type.Optional(Type.String({ description: 'Singular names, separated by commas' })),
      },
      strict,
    ),
    response: Type.Array(hit),
    keptBy: () => '',
    async handler(request) {
      const { q, types, fields, locale, prefix, typos, ...page } = request.query
      const range = rangeOf(page)
      const asked = {
        text: q,
        types: namesIn(types),
        fields: namesIn(fields),
        locale,
        prefix,
        typos,
        ...range,
      }
      const { principal } = request
      const { hits, total } = await search.search({ ...asked, principal, recipient: request })
      return rangePage(hits, total, range)
    },
  })
}

function namesIn(text: string | undefined): string[] | undefined {
  return text?.split(',').map((name) => name.trim())
}

/** Admits callers who may read at least one type; the search itself checks each type. */
export function readAnyPolicy(auth: Auth, schemas: Schemas): Policy {
  const names = [...schemas.types.keys()]
  return {
    name: 'content.readAny',
    checksTypes: true,
    check: ({ principal }) => names.some((name) => auth.mayContent(principal, name, 'read')),
  }
}
