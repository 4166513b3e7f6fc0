import { articleInput, authorCount, categoryCount, words } from './data.ts'
import { counterMarker, type LoadRequest } from './load.ts'

export interface Scenario {
  readonly name: string
  readonly title: string
  /** The minimum acceptable ratio to the floor. */
  readonly wantedRatio: number
  /** Plugins to switch off, in a separate process. */
  readonly withoutPlugins?: readonly string[]
  /** The requests of one measurement. `salt` differs in each, so that slugs are unique. */
  requests(rows: number, salt: string): LoadRequest[]
}

const base = '/api/content/article'
const pageSize = 25
const byId = `limit=${pageSize}&sort=id:desc`
const byTime = `limit=${pageSize}&sort=created_at:desc`

const get = (path: string): LoadRequest => ({ method: 'GET', path })

/** Integers from 0 up to, but excluding, `end`, spread evenly: as many as wanted, or all if there are fewer. */
const spread = (end: number, count: number): number[] =>
  Array.from({ length: Math.min(end, count) }, (_, index, length = Math.min(end, count)) =>
    Math.floor((index * end) / length),
  )

/** Pages from the whole list, in random order. */
const offsets = (rows: number): number[] =>
  spread(Math.ceil(rows / pageSize), 1000)
    .map((page) => page * pageSize)
    .sort((left, right) => ((left * 7919) % rows) - ((right * 7919) % rows))

/** Articles with slugs that no other measurement uses. */
const articlePosts = (prefix: string, salt: string): LoadRequest[] =>
  Array.from({ length: 100 }, (_, index) => ({
    method: 'POST',
    path: base,
    body: JSON.stringify(articleInput(index, `${prefix}-${salt}-${counterMarker}`)),
  }))

const wordPairs = words.flatMap((first) => words.map((second) => `${first} ${second}`))

export const scenarios: readonly Scenario[] = [
  {
    name: 'entry',
    title: 'one entry by id',
    wantedRatio: 0.7,
    requests: (rows) => spread(rows, 1000).map((index) => get(`${base}/${index + 1}`)),
  },
  {
    name: 'list',
    title: 'list of 25 with total, any page',
    wantedRatio: 0.7,
    requests: (rows) => offsets(rows).map((offset) => get(`${base}?${byId}&offset=${offset}`)),
  },
  {
    name: 'first',
    title: 'newest 25 with total',
    wantedRatio: 0.7,
    requests: () => [get(`${base}?${byTime}`)],
  },
  {
    name: 'newest',
    title: 'newest first, any page',
    wantedRatio: 0.7,
    requests: (rows) => offsets(rows).map((offset) => get(`${base}?${byTime}&offset=${offset}`)),
  },
  {
    name: 'title',
    title: 'sorted by what has no index, any page',
    wantedRatio: 0.7,
    requests: (rows) =>
      offsets(rows).map((offset) => get(`${base}?limit=${pageSize}&sort=title&offset=${offset}`)),
  },
  {
    name: 'populated',
    title: 'newest first, author and categories populated',
    wantedRatio: 0.6,
    requests: (rows) =>
      offsets(rows).map((offset) => get(`${base}?${byTime}&offset=${offset}&populate=author,categories`)),
  },
  {
    name: 'filtered',
    title: 'filtered list: featured, and words in the title',
    wantedRatio: 0.7,
    requests: () =>
      wordPairs.map((pair) =>
        get(
          `${base}?${byId}&filters[featured][$eq]=true&filters[title][$contains]=${encodeURIComponent(pair)}`,
        ),
      ),
  },
  {
    name: 'author',
    title: 'filtered by the name of the author',
    wantedRatio: 0.7,
    requests: () =>
      spread(authorCount, authorCount).map((index) =>
        get(`${base}?${byTime}&filters[author][name][$eq]=${encodeURIComponent(`Author ${index + 1}`)}`),
      ),
  },
  {
    name: 'category',
    title: 'filtered by the slug of a category',
    wantedRatio: 0.7,
    requests: () =>
      spread(categoryCount, categoryCount).map((index) =>
        get(`${base}?${byTime}&filters[categories][slug][$eq]=category-${index + 1}`),
      ),
  },
  {
    name: 'create',
    title: 'create with author and categories, with audit, revisions and search',
    wantedRatio: 0.3,
    requests: (_, salt) => articlePosts('created', salt),
  },
  {
    name: 'create-bare',
    title: 'create with author and categories, and nothing beside',
    wantedRatio: 0.3,
    withoutPlugins: ['audit', 'revisions', 'search'],
    requests: (_, salt) => articlePosts('bare', salt),
  },
]

/** @throws Error for an unknown name */
export function pickScenarios(names: readonly string[] | undefined): readonly Scenario[] {
  if (names === undefined) return scenarios
  return names.map((name) => {
    const scenario = scenarios.find((candidate) => candidate.name === name)
    if (scenario === undefined) throw new Error(`--only names "${name}"; ${scenarioNames} exist`)
    return scenario
  })
}

const scenarioNames = scenarios.map(({ name }) => name).join(', ')
