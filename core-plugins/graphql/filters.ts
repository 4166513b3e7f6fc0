import { GraphQLInputObjectType, type GraphQLInputType, getNamedType } from 'graphql'
import { filterKeyOf } from './schema/meaning.ts'

/** Filters in the words of the content service: `{ title: { $contains: 'x' } }`. */
export function toFilters(value: unknown, type: GraphQLInputType): unknown {
  const named = getNamedType(type)
  if (!(named instanceof GraphQLInputObjectType)) return value
  if (Array.isArray(value)) return value.map((item) => toFilters(item, named))
  if (typeof value !== 'object' || value === null) return value
  const fields = named.getFields()
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]): [string, unknown][] => {
      const field = fields[name]
      if (field === undefined || member === undefined) return []
      const key = filterKeyOf(field)
      return member === null ? [nullFilter(key)] : [[key, toFilters(member, field.type)]]
    }),
  )
}

/** `eq: null` and `ne: null` ask for nothing and for something; a whole field that is null asks for nothing. */
function nullFilter(key: string): [string, unknown] {
  if (key === '$eq') return ['$null', true]
  if (key === '$ne') return ['$notNull', true]
  return [key, key.startsWith('$') ? null : { $null: true }]
}
