import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { articleInput, authorInputs, categoryInputs } from '../data.ts'
import { createRandom, createText } from '../texts.ts'

export interface RecordOptions {
  readonly records: number
  /** The number of words in each text. */
  readonly words: number
  readonly isPublished: boolean
}

/** The emails by which records refer to authors; the numbers in `articleInput` are ids, which count from 1. */
const emails = authorInputs().map(({ email }) => email)
const slugs = categoryInputs().map(({ slug }) => slug)

/** The time of the first record; each further one is a minute later. */
const firstPublished = Date.UTC(2025, 0, 1)

/** Articles that refer to their author and categories by natural keys, one per line. */
function* lines({ records, words, isPublished }: RecordOptions): Generator<string> {
  const text = createText(createRandom())
  for (let number = 1; number <= records; number++) {
    const { author, categories, ...rest } = articleInput(number)
    const record = {
      ...rest,
      title: text(4),
      body: `<p>${text(words)}</p>`,
      author: { email: emails[author - 1] },
      categories: categories.map((id) => ({ slug: slugs[id - 1] })),
      published_at: isPublished ? new Date(firstPublished + number * 60_000).toISOString() : null,
    }
    yield `${JSON.stringify(record)}\n`
  }
}

export function writeRecords(path: string, options: RecordOptions): Promise<void> {
  return pipeline(Readable.from(lines(options), { objectMode: false }), createWriteStream(path))
}
