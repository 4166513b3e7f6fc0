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
