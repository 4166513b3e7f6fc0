import {
  type GraphQLFieldConfig,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLUnionType,
} from 'graphql'
import type { ContentType } from '../../../foundation/schemas/schemas.ts'
import { rootMeaning } from '../schema/meaning.ts'
import { objectType } from '../schema/object-types.ts'
import { jsonScalar, stringScalar } from '../schema/scalars.ts'
import type { SchemaParts } from '../schema/schema-parts.ts'
import { entityName, subgraphText } from './subgraph-text.ts'

type Fields = Record<string, GraphQLFieldConfig<unknown, unknown>>

/** The fields of `Query` that Apollo Federation requires of a subgraph; none if the service is not a subgraph. */
export function federationFields(parts: SchemaParts): Fields {
  if (!parts.isSubgraph) return {}
  const entities = [...parts.schemas.types.values()].filter(({ name }) => parts.may(name, 'read'))
  return { ...(entities.length === 0 ? {} : entitiesField(entities, parts)), ...serviceField() }
}

function entitiesField(types: readonly ContentType[], parts: SchemaParts): Fields {
  const union = new GraphQLUnionType({
    name: entityName,
    description: 'Entries that other subgraphs may refer to.',
    types: () => types.map((type) => objectType(type, parts)),
  })
  const any = jsonScalar('_Any', 'An entry as other subgraphs name it: `__typename` with `id` or `uuid`.')
  return {
    _entities: {
      type: new GraphQLNonNull(new GraphQLList(union)),
      description: 'Entries that a gateway asks for, in its order; null for those that are not there',
      args: { representations: { type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(any))) } },
      ...rootMeaning({ kind: 'entities' }),
    },
  }
}

function serviceField(): Fields {
  const service = new GraphQLObjectType({
    name: '_Service',
    fields: {
      sdl: {
        type: stringScalar,
        description: 'What the caller may use, for the composition of a supergraph',
        resolve: (_service, _args, _context, { schema }) => subgraphText(schema),
      },
    },
  })
  return {
    _service: {
      type: new GraphQLNonNull(service),
      resolve: () => ({}),
      ...rootMeaning({ kind: 'service' }),
    },
  }
}
