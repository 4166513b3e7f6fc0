import { defineSetting } from '../../core-plugins/config/config.ts'

export const wordsPerMinute = defineSetting<number>({
  key: 'readingTime.wordsPerMinute',
  tier: 'runtime',
  type: 'integer',
  default: 200,
  min: 1,
  label: 'Reading speed',
  description: 'How many words a reader takes in within a minute',
})

export const isForEveryone = defineSetting<boolean>({
  key: 'readingTime.isForEveryone',
  tier: 'runtime',
  type: 'boolean',
  default: false,
  label: 'Show to everyone',
  description: 'Whether callers who are not signed in are told reading times',
})
