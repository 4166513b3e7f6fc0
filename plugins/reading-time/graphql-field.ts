import type { Config, GraphqlExtension } from 'mortise/plugin'
import type { Estimates } from './estimates.ts'
import { richTextsOf } from './measure.ts'
import { wordsPerMinute } from './settings.ts'

/** `readingTime` of all types with rich text; one query for a page of entries. */
export const readingTimeField = (services: { config: Config; estimates: Estimates }): GraphqlExtension => ({
  types: 'type ReadingTime { words: Int! minutes: Int! }',
  fieldsOf(type) {
    if (richTextsOf(type).length === 0) return {}
    return {
      readingTime: {
        type: 'ReadingTime',
        description: 'How long the entry takes to read',
        async load(queries) {
          const { config, estimates } = services
          const found = await estimates.findAll(
            type.name,
            queries.map(({ entry }) => entry.id),
          )
          return queries.map(({ entry }) => {
            const words = found.get(entry.id)
            return words === undefined
              ? null
              : { words, minutes: Math.ceil(words / config.get(wordsPerMinute)) }
          })
        },
      },
    }
  },
})
