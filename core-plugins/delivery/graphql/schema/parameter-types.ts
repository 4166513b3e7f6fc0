import type { TSchema } from 'typebox'

/* Query parameters that plugins add to reads, as arguments. Does not load GraphQL's library. */

/** By the `type` of the parameter's schema; all other types are passed as text, as in a query string. */
const types = { boolean: 'Boolean', integer: 'Int', number: 'Float', array: '[String!]' } as const

export type ParameterType = (typeof types)[keyof typeof types] | 'String'

/** The type of the argument for a parameter. */
export function parameterTypeOf(schema: TSchema): ParameterType {
  const { type } = schema as { readonly type?: unknown }
  return types[String(type) as keyof typeof types] ?? 'String'
}

/** The arguments in the schema language, without the given ones. */
export function addedArgumentsText(
  parameters: Readonly<Record<string, TSchema>>,
  without: readonly string[],
): string {
  const added = Object.entries(parameters).filter(([name]) => !without.includes(name))
  return added.map(([name, schema]) => `${name}: ${parameterTypeOf(schema)}`).join(', ')
}
