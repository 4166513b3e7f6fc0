import { GraphQLObjectType } from 'graphql'
import type { ContentType } from '../../../foundation/schemas/schemas.ts'
import { objectType } from './object-types.ts'
import type { SchemaParts } from './schema-parts.ts'

/** A wrapper of one entry, or of null. */
export function answerType(type: ContentType, parts: SchemaParts): GraphQLObjectType {
  const { answer } = parts.names.ofType(type)
  return parts.once(
    answer,
    () =>
      new GraphQLObjectType({ name: answer, fields: () => ({ data: { type: objectType(type, parts) } }) }),
  )
}
