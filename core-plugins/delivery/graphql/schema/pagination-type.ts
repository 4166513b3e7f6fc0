import { type GraphQLFieldConfig, GraphQLNonNull, GraphQLObjectType, type GraphQLOutputType } from 'graphql'
import { booleanScalar, intScalar, stringScalar } from './scalars.ts'
import type { SchemaParts } from './schema-parts.ts'

type Field = GraphQLFieldConfig<unknown, unknown>

/** The pagination data of a list. */
export function paginationType(parts: SchemaParts): GraphQLObjectType {
  const required = (type: GraphQLOutputType): Field => ({
    type: new GraphQLNonNull(type as GraphQLObjectType),
  })
  return parts.once(
    'Pagination',
    () =>
      new GraphQLObjectType({
        name: 'Pagination',
        fields: {
          total: { type: intScalar, description: 'Counted only where it is asked for; null with a cursor.' },
          limit: required(intScalar),
          offset: { type: intScalar },
          hasMore: required(booleanScalar),
          nextCursor: { type: stringScalar },
        },
      }),
  )
}
