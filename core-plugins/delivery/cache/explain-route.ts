import { Type } from 'typebox'
import { AppError, defineRoute, type Route, strict } from '../../foundation/http/http.ts'
import type { Keeper } from './keeper.ts'

const dependence = Type.Object(
  {
    type: Type.String(),
    entries: Type.Integer({ description: 'How many entries of the type are shown' }),
    selections: Type.Integer({ description: 'How many lists and inverse sides of it there are' }),
    fields: Type.Array(Type.String(), { description: 'Fields of any entry that filters look at' }),
    any: Type.Boolean({ description: 'Any change of the type makes the answer anew' }),
    hidden: Type.Boolean({ description: 'Ids are left out while their entries are hidden' }),
  },
  strict,
)

const explanation = Type.Object(
  {
    kept: Type.Boolean(),
    bytes: Type.Optional(Type.Integer()),
    age: Type.Optional(Type.Integer({ description: 'Milliseconds since it was read' })),
    types: Type.Optional(Type.Array(dependence)),
    outdatedBy: Type.Optional(
      Type.Object(
        { type: Type.String(), id: Type.Optional(Type.Integer()), kind: Type.String() },
        { ...strict, description: 'The change that made the last kept answer wrong' },
      ),
    ),
  },
  strict,
)

/** Shows what this process has cached for an address and anonymous callers, or why nothing. */
export function explainRoute(keeper: Pick<Keeper, 'explain'>): Route {
  return defineRoute({
    name: 'admin:cache.explain',
    method: 'GET',
    path: '/admin/cache/explain',
    summary: 'Tell what an answer in memory depends on',
    description: 'Of the process that answers, for callers without credentials',
    access: 'area',
    scope: 'admin:cache:read',
    query: Type.Object(
      {
        url: Type.String({ minLength: 1, maxLength: 4_096, description: '`/api/content/article?limit=10`' }),
      },
      strict,
    ),
    response: explanation,
    handler({ query: { url } }) {
      if (!url.startsWith('/')) {
        const message = 'must be a path with its query, beginning with a slash'
        throw AppError.invalid([{ path: 'url', code: 'format', message }])
      }
      return keeper.explain(url)
    },
  })
}
