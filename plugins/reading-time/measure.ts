import type { ContentType, WriteStage } from 'mortise/plugin'
import type { Estimates } from './estimates.ts'
import { countWords } from './words.ts'

/** Counts the words of an entry in the transaction that writes it. */
export function measureWrites(estimates: Estimates): WriteStage {
  return {
    name: 'reading-time: count words',
    matches: ({ type, operation }) =>
      ['create', 'update', 'restore'].includes(operation) && richTextsOf(type).length > 0,
    async run({ type, tx }, next) {
      const entry = await next()
      const words = richTextsOf(type)
        .map((name) => countWords(String(entry[name] ?? '')))
        .reduce((sum, count) => sum + count, 0)
      await estimates.save(tx, type.name, entry.id, words)
      return entry
    },
  }
}

/** The attributes whose words are counted. */
export function richTextsOf({ attributes }: ContentType): string[] {
  return [...attributes.values()].filter(({ type }) => type === 'richtext').map(({ name }) => name)
}
