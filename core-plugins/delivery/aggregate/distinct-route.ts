import { Type } from 'typebox'
import type { AddedParameters } from '../../entries/content/content.ts'
import { defineRoute, type Route } from '../../foundation/http/http.ts'
import type { Schemas } from '../../foundation/schemas/schemas.ts'
import type { Aggregates } from './aggregate.ts'
import { aggregateValue, selectionParameters } from './route.ts'

const response = Type.Record(
  Type.String(),
  Type.Object({
    values: Type.Array(
      Type.Object({
        value: aggregateValue,
        count: Type.Integer(),
        entry: Type.Optional(
          Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()], {
            description: 'What the id refers to, where it is populated',
          }),
        ),
      }),
    ),
    hasMore: Type.Boolean(),
  }),
)

const text = (description: string) => Type.Optional(Type.String({ description }))

const query = {
  field: Type.Array(Type.String(), {
    description:
      'The fields whose values are wanted, at most ten; `seo.title`, `blocks.shared.quote.text`, `facts.size` or `author.name` for one inside',
  }),
  sort: text('`count` (the default: most frequent ones first) or `value`, with `:asc` or `:desc`'),
  limit: Type.Optional(Type.Integer({ minimum: 0, description: 'How many values of each field' })),
  offset: Type.Optional(Type.Integer({ minimum: 0 })),
  ownFilters: Type.Optional(
    Type.Boolean({ description: 'False: what `filters` ask of a field does not concern its own values' }),
  ),
  populate: text('Relations and media among the fields, as in lists: shown as `entry` beside the id'),
}

/** The values of fields, each with the number of entries that have it (see docs/content-api.md). */
export function distinctRoute(aggregates: Aggregates, schemas: Schemas, added: AddedParameters): Route {
  const params = Type.Object({ type: Type.String() })
  return defineRoute({
    name: 'content:entries.distinct',
    method: 'GET',
    path: '/content/:type/distinct',
    summary: 'List the values of fields with their numbers',
    access: 'permission',
    load: 'dear',
    scope: 'content:read',
    policies: ['content.read'],
    params,
    response,
    keptBy: () => '',
    document: () =>
      [...schemas.types.values()].map((type) => ({
        name: `content:${type.name}.entries.distinct`,
        path: `/content/${type.name}/distinct`,
        tag: type.displayName,
        summary: `List the values of fields of ${type.pluralName} with their numbers`,
        params: Type.Object({}),
        values: { type: type.name },
        query: Type.Object({ ...query, ...selectionParameters(type), ...added(type) }),
        response,
      })),
    handler(request) {
      const { params, rawQuery, principal } = request
      return aggregates.distinct(params.type, rawQuery, principal, request)
    },
  })
}
