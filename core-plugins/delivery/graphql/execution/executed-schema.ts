import {
  type GraphQLFieldResolver,
  GraphQLObjectType,
  GraphQLScalarType,
  GraphQLSchema,
  isIntrospectionType,
  isObjectType,
  isUnionType,
} from 'graphql'
import { answerFieldName } from '../plan/operation-plan.ts'
import { type Item, sourceOf, typeOf } from '../plan/projection.ts'
import type { Execution } from './execution.ts'

/*
 * The schema with which validated documents are executed. The fields of `Query`, `Mutation` and `Subscription` are resolved by
 * their plans, which return complete values under the requested names. So fields of content need no resolvers; only fields of
 * plugins have their own.
 */

type Resolver = GraphQLFieldResolver<unknown, Execution>

const answerRoot: Resolver = (_source, _args, execution, { path }) => execution.answer(String(path.key))

const byAnswerName: Resolver = (source, _args, _execution, { path }) => (source as Item)[path.key]

const answerType = new GraphQLScalarType({ name: 'Answer', serialize: (value) => value })

/**
 * Sets the resolvers of a schema, except for fields that already have one.
 * @returns that schema with the fields that plans execute
 */
export function executedSchema(schema: GraphQLSchema): GraphQLSchema {
  const { query, mutation, subscription, ...config } = schema.toConfig()
  resolveByAnswerName(schema)
  resolveBlocks(schema)
  return new GraphQLSchema({
    ...config,
    assumeValid: true,
    types: config.types.filter((type) => type !== query && type !== mutation && type !== subscription),
    query: query && executedRoot(query),
    mutation: mutation && executedRoot(mutation),
    subscription: subscription && executedRoot(subscription),
  })
}

function executedRoot(type: GraphQLObjectType): GraphQLObjectType {
  const { fields, ...config } = type.toConfig()
  const answered = Object.entries(fields).map(([name, field]) => [name, { ...field, resolve: answerRoot }])
  return new GraphQLObjectType({
    ...config,
    fields: { ...Object.fromEntries(answered), [answerFieldName]: { type: answerType, resolve: answerRoot } },
  })
}

function resolveByAnswerName(schema: GraphQLSchema): void {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()]
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || isIntrospectionType(type) || roots.includes(type)) continue
    for (const field of Object.values(type.getFields())) field.resolve ??= byAnswerName
  }
}

/** Blocks of zones name their component; other objects were given their type name. */
function resolveBlocks(schema: GraphQLSchema): void {
  for (const union of Object.values(schema.getTypeMap())) {
    if (!isUnionType(union)) continue
    const nameOf = new Map(union.getTypes().map(({ name, extensions }) => [extensions.uid, name]))
    if (nameOf.has(undefined)) {
      union.resolveType = (entry: { [typeOf]: string }) => entry[typeOf]
      continue
    }
    union.resolveType = (block: { [sourceOf]: Item }) => nameOf.get(block[sourceOf].__component)
  }
}
