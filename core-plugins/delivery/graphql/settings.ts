import { Type } from 'typebox'
import { defineSetting } from '../../foundation/config/config.ts'

export const maxDepth = defineSetting(
  'api.graphql.maxDepth',
  Type.Integer({
    tier: 'runtime',
    default: 10,
    minimum: 2,
    maximum: 50,
    title: 'Deepest GraphQL query',
    description: 'How many fields may stand inside one another, the field of the query itself included.',
  }),
)

export const maxCost = defineSetting(
  'api.graphql.maxCost',
  Type.Integer({
    tier: 'runtime',
    default: 20_000,
    minimum: 100,
    maximum: 10_000_000,
    title: 'Largest cost of a GraphQL query',
    description: 'Every value of every entry counts 1, every list, relation and write 100.',
  }),
)

export const introspection = defineSetting(
  'api.graphql.introspection',
  Type.Boolean({
    tier: 'runtime',
    default: true,
    title: 'GraphQL introspection',
    description: 'Whether callers are told the schema of what they may read.',
  }),
)

export const playground = defineSetting(
  'api.graphql.playground',
  Type.Boolean({
    tier: 'runtime',
    default: true,
    title: 'GraphQL playground',
    description: 'Whether GET of the endpoint shows a page on which queries can be tried.',
  }),
)

export const cacheMaxAge = defineSetting(
  'api.graphql.cacheMaxAge',
  Type.Integer({
    tier: 'runtime',
    default: 0,
    minimum: 0,
    maximum: 86_400,
    title: 'GraphQL answers in shared caches',
    description:
      'For how many seconds a CDN may answer queries of callers without credentials by itself; 0: it asks every time, by ETag.',
  }),
)

export const federation = defineSetting(
  'api.graphql.federation',
  Type.Boolean({
    tier: 'infrastructure',
    default: false,
    title: 'GraphQL as a subgraph',
    description:
      'Whether a gateway of Apollo Federation may ask for the schema and for entries by their keys.',
  }),
)

export const subscriptions = defineSetting(
  'api.graphql.subscriptions',
  Type.Boolean({
    tier: 'infrastructure',
    default: true,
    title: 'GraphQL subscriptions',
    description:
      'Whether clients may subscribe to what happens to entries; needs the plugins changes and live.',
  }),
)

export const maxSubscriptions = defineSetting(
  'api.graphql.maxSubscriptions',
  Type.Integer({
    tier: 'runtime',
    default: 50,
    minimum: 1,
    maximum: 10_000,
    title: 'Most GraphQL subscriptions of a connection',
    description: 'How many subscriptions may share one WebSocket.',
  }),
)

export const connectionInitTimeoutMs = defineSetting(
  'api.graphql.connectionInitTimeoutMs',
  Type.Integer({
    tier: 'runtime',
    default: 3_000,
    minimum: 100,
    maximum: 60_000,
    title: 'GraphQL connection_init',
    description: 'How long a WebSocket may be open before its client sends connection_init, in milliseconds.',
  }),
)

export const graphqlSettings = [
  maxDepth,
  maxCost,
  introspection,
  playground,
  cacheMaxAge,
  federation,
  subscriptions,
  maxSubscriptions,
  connectionInitTimeoutMs,
]
