import { defineSetting } from '../config/config.ts'

export const defaultLimit = defineSetting<number>({
  key: 'api.pagination.defaultLimit',
  tier: 'runtime',
  type: 'integer',
  default: 25,
  min: 1,
  max: 1_000,
  label: 'Default page size',
  description: 'Entries on a page where a list is asked for without a limit.',
})

export const maxLimit = defineSetting<number>({
  key: 'api.pagination.maxLimit',
  tier: 'runtime',
  type: 'integer',
  default: 100,
  min: 1,
  max: 10_000,
  label: 'Largest page size',
  description: 'A larger limit in a request counts as this one.',
})

export const maxQueryWeight = defineSetting<number>({
  key: 'api.query.maxWeight',
  tier: 'runtime',
  type: 'integer',
  default: 1_000,
  min: 50,
  max: 1_000_000,
  label: 'Heaviest query',
  description:
    'What the filters and words of a request may cost together, in comparisons of a value: a part of a text counts 2 to 16, a relation 2 or 4.',
})

export const maxResponseEntries = defineSetting<number>({
  key: 'api.response.maxEntries',
  tier: 'runtime',
  type: 'integer',
  default: 20_000,
  min: 100,
  max: 1_000_000,
  label: 'Most entries in an answer',
  description:
    'Populated ones included, each as often as it is shown. A request for more is refused; it would hold up all others.',
})

export const maxResponseBytes = defineSetting<number>({
  key: 'api.response.maxBytes',
  tier: 'runtime',
  type: 'integer',
  default: 16_777_216,
  min: 10_000,
  max: 268_435_456,
  label: 'Largest answer with entries',
  description: 'In bytes; a character outside of ASCII is reckoned as one. A request for more is refused.',
})
