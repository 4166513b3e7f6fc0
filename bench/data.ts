/** The request bodies for creating an author, a category and an article of `bench/schemas/`. */
export interface AuthorInput {
  readonly name: string
  readonly email: string
  readonly bio: string
}

export interface CategoryInput {
  readonly name: string
  readonly slug: string
}

export interface ArticleInput {
  readonly title: string
  readonly slug: string
  readonly featured: boolean
  readonly rank: number
  readonly body: string
  /** An id. */
  readonly author: number
  /** One to three ids. */
  readonly categories: readonly number[]
}

export const authorCount = 100
export const categoryCount = 20
/** Ranks are spread evenly from 0 up to, not including, this. */
export const rankCount = 10_000

/** The words of titles and bodies; the filtered list searches titles for them. */
export const words: readonly string[] = [
  ...[
    'harbour',
    'lantern',
    'copper',
    'meadow',
    'signal',
    'timber',
    'orchard',
    'granite',
    'velvet',
    'compass',
  ],
  ...['ember', 'willow', 'canyon', 'marble', 'falcon', 'saffron', 'glacier', 'thistle', 'cobalt', 'juniper'],
]

const bodyLength = 2048

/** Returns whole numbers from 0 up to, not including, a bound. */
type Random = (below: number) => number

/** Mulberry32: the same numbers for the same seed on every machine. */
function createRandom(seed: number): Random {
  let state = Math.imul(seed + 1, 0x9e3779b1) >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below)
  }
}

const pickWord = (random: Random): string => words[random(words.length)] ?? ''

const sentence = (random: Random, wordCount: number): string =>
  Array.from({ length: wordCount }, () => pickWord(random)).join(' ')

function createBody(random: Random): string {
  const text = `<p>${sentence(random, bodyLength / 6)}`
  return `${text.slice(0, bodyLength - 4)}</p>`
}

/** Distinct ids in random order. */
function pickCategories(random: Random): number[] {
  const ids = new Set<number>()
  const wanted = 1 + random(3)
  while (ids.size < wanted) ids.add(1 + random(categoryCount))
  return [...ids]
}

export const authorInputs = (): AuthorInput[] =>
  Array.from({ length: authorCount }, (_, index) => ({
    name: `Author ${index + 1}`,
    email: `author${index + 1}@example.com`,
    bio: sentence(createRandom(index), 12),
  }))

export const categoryInputs = (): CategoryInput[] =>
  Array.from({ length: categoryCount }, (_, index) => ({
    name: `Category ${index + 1}`,
    slug: `category-${index + 1}`,
  }))

/**
 * The article of a number, the same every time. One in ten is featured.
 * `slug` is unique, so pass one when creating the same article several times.
 */
export function articleInput(number: number, slug = `article-${number}`): ArticleInput {
  const random = createRandom(number)
  return {
    title: sentence(random, 4),
    slug,
    featured: random(10) === 0,
    rank: random(rankCount),
    body: createBody(random),
    author: 1 + random(authorCount),
    categories: pickCategories(random),
  }
}
