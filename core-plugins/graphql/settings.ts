import { defineSetting } from '../config/config.ts'

export const maxDepth = defineSetting<number>({
  key: 'api.graphql.maxDepth',
  tier: 'runtime',
  type: 'integer',
  default: 10,
  min: 2,
  max: 50,
  label: 'Deepest GraphQL query',
  description: 'How many fields may stand inside one another, the field of the query itself included.',
})

export const maxCost = defineSetting<number>({
  key: 'api.graphql.maxCost',
  tier: 'runtime',
  type: 'integer',
  default: 20_000,
  min: 100,
  max: 10_000_000,
  label: 'Largest cost of a GraphQL query',
  description: 'Every value of every entry counts 1, every list, relation and write 100.',
})

export const introspection = defineSetting<boolean>({
  key: 'api.graphql.introspection',
  tier: 'runtime',
  type: 'boolean',
  default: true,
  label: 'GraphQL introspection',
  description: 'Whether callers are told the schema of what they may read.',
})

export const playground = defineSetting<boolean>({
  key: 'api.graphql.playground',
  tier: 'runtime',
  type: 'boolean',
  default: true,
  label: 'GraphQL playground',
  description: 'Whether GET of the endpoint shows a page on which queries can be tried.',
})

export const cacheMaxAge = defineSetting<number>({
  key: 'api.graphql.cacheMaxAge',
  tier: 'runtime',
  type: 'integer',
  default: 0,
  min: 0,
  max: 86_400,
  label: 'GraphQL answers in shared caches',
  description:
    'For how many seconds a CDN may answer queries of callers without credentials by itself; 0: it asks every time, by ETag.',
})
