import { defineSetting, Type } from 'mortise/plugin'

export const wordsPerMinute = defineSetting(
  'readingTime.wordsPerMinute',
  Type.Integer({
    tier: 'runtime',
    default: 200,
    minimum: 1,
    title: 'Reading speed',
    description: 'How many words a reader reads per minute',
  }),
)

export const isForEveryone = defineSetting(
  'readingTime.isForEveryone',
  Type.Boolean({
    tier: 'runtime',
    default: false,
    title: 'Show to everyone',
    description: 'Whether callers who are not signed in can see reading times',
  }),
)
