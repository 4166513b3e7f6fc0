import {
  type GraphQLArgument,
  type GraphQLFieldConfigArgumentMap,
  GraphQLFloat,
  type GraphQLInputType,
  GraphQLList,
  GraphQLNonNull,
} from 'graphql'
import type { TSchema } from 'typebox'
import { type ParameterType, parameterTypeOf } from './parameter-types.ts'
import { booleanScalar, intScalar, stringScalar } from './scalars.ts'

const types: Readonly<Record<ParameterType, GraphQLInputType>> = {
  Boolean: booleanScalar,
  Int: intScalar,
  Float: GraphQLFloat,
  String: stringScalar,
  '[String!]': new GraphQLList(new GraphQLNonNull(stringScalar)),
}

/** The arguments for query parameters that plugins add to reads. */
export function addedArguments(parameters: Readonly<Record<string, TSchema>>): GraphQLFieldConfigArgumentMap {
  return Object.fromEntries(
    Object.entries(parameters).map(([name, schema]) => {
      const { description } = schema as { readonly description?: string }
      const argument = { type: types[parameterTypeOf(schema)], extensions: { isParameter: true } }
      return [name, description === undefined ? argument : { ...argument, description }]
    }),
  )
}

/** Whether the argument was added for a query parameter of a plugin. */
export const isParameter = ({ extensions }: GraphQLArgument) => extensions.isParameter === true
