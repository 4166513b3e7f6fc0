import { Type } from 'typebox'
import { defineSetting } from '../../foundation/config/config.ts'

/** `api.pagination.defaultLimit`: the number of entries per page if the request does not set a limit. */
export const defaultLimit = defineSetting(
  'api.pagination.defaultLimit',
  Type.Integer({
    tier: 'runtime',
    default: 25,
    minimum: 1,
    maximum: 1_000,
    title: 'Default page size',
    description: 'Page size of a list that is requested without a limit.',
  }),
)

/** `api.pagination.maxLimit`: the maximum number of entries per page. */
export const maxLimit = defineSetting(
  'api.pagination.maxLimit',
  Type.Integer({
    tier: 'runtime',
    default: 100,
    minimum: 1,
    maximum: 10_000,
    title: 'Largest page size',
    description: 'A larger limit in a request is reduced to this one.',
  }),
)

export const maxQueryWeight = defineSetting(
  'api.query.maxWeight',
  Type.Integer({
    tier: 'runtime',
    default: 1_000,
    minimum: 50,
    maximum: 1_000_000,
    title: 'Heaviest query',
    description:
      'Total cost that the filters and search words of a request may have, in value comparisons: a substring counts 2 to 16, a relation 2 or 4.',
  }),
)

export const maxResponseEntries = defineSetting(
  'api.response.maxEntries',
  Type.Integer({
    tier: 'runtime',
    default: 20_000,
    minimum: 100,
    maximum: 1_000_000,
    title: 'Most entries in an answer',
    description:
      'Including populated entries, each counted as often as it is shown. Larger requests are refused, because they would block all others.',
  }),
)

export const maxResponseBytes = defineSetting(
  'api.response.maxBytes',
  Type.Integer({
    tier: 'runtime',
    default: 16_777_216,
    minimum: 10_000,
    maximum: 268_435_456,
    title: 'Largest answer with entries',
    description: 'In bytes; a character outside ASCII counts as one. Larger requests are refused.',
  }),
)
