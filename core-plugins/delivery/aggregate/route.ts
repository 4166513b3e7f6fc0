import { Type } from 'typebox'
import { type AddedParameters, objectOrText } from '../../entries/content/content.ts'
import { defineRoute, type Route } from '../../foundation/http/http.ts'
import type { ContentType, Schemas } from '../../foundation/schemas/schemas.ts'
import type { Aggregates } from './aggregate.ts'
import { aggregateFunctions } from './aggregate-query.ts'

export const aggregateValue = Type.Union([Type.Number(), Type.String(), Type.Boolean(), Type.Null()])

const response = Type.Union([
  Type.Object({ value: aggregateValue }),
  Type.Array(Type.Object({ group: Type.Record(Type.String(), aggregateValue), value: aggregateValue })),
])

const query = {
  function: Type.Union(aggregateFunctions.map((name) => Type.Literal(name))),
  field: Type.Optional(Type.String({ description: 'Field to aggregate; `count` needs none' })),
  groupBy: Type.Optional(
    Type.Array(Type.String(), { description: 'Fields to group by; the answer has a value for each group' }),
  ),
}

/** The parameters that select entries. */
export const selectionParameters = (type: ContentType) => ({
  filters: filters(type),
  published: Type.Optional(Type.Boolean({ description: 'True: published only; false: drafts only' })),
  search: Type.Optional(Type.String({ description: 'Words that must all occur' })),
  searchFields: Type.Optional(Type.String({ description: 'Fields to search, separated by commas' })),
  typos: Type.Optional(Type.Boolean({ description: 'Finds words with typing errors, too' })),
  deleted: Type.Optional(Type.Boolean({ description: 'Soft-deleted entries instead; administrators only' })),
})

const filters = (type: ContentType) =>
  Type.Optional(
    objectOrText(
      Type.Object({}, { 'x-schema': `${type.name}.filters` }),
      'As in lists: `filters[rank][$gt]=3`, or JSON text',
    ),
  )

/** Counts, sums, averages, minimums and maximums of a type's entries (specification, "Content"; see docs/content-api.md). */
export function aggregateRoute(aggregates: Aggregates, schemas: Schemas, added: AddedParameters): Route {
  const params = Type.Object({ type: Type.String() })
  return defineRoute({
    name: 'content:entries.aggregate',
    tool: {
      name: 'aggregate_entries',
      description:
        'Counts entries, or sums up, averages, or finds the extremes of a field, by groups if wanted. Cheaper than reading them.',
    },
    method: 'GET',
    path: '/content/:type/aggregate',
    summary: 'Count, sum up or average entries',
    access: 'permission',
    load: 'dear',
    scope: 'content:read',
    policies: ['content.read'],
    params,
    response,
    keptBy: () => '',
    document: () =>
      [...schemas.types.values()].map((type) => ({
        name: `content:${type.name}.entries.aggregate`,
        path: `/content/${type.name}/aggregate`,
        tag: type.displayName,
        summary: `Count, sum up or average ${type.pluralName}`,
        params: Type.Object({}),
        values: { type: type.name },
        query: Type.Object({ ...query, ...selectionParameters(type), ...added(type) }),
        response,
      })),
    handler(request) {
      const { params, rawQuery, principal } = request
      return aggregates.aggregate(params.type, rawQuery, principal, request)
    },
  })
}
