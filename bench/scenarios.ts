import { articleInput, words } from './data.ts'
import { counterMarker, type LoadRequest } from './load.ts'

export interface Scenario {
  readonly name: string
  readonly title: string
  /** The smallest ratio to the floor that is good enough. */
  readonly wantedRatio: number
  /** The requests of one measurement. `salt` is different in every one, so that slugs are unique. */
  requests(rows: number, salt: string): LoadRequest[]
}

const base = '/api/content/article'
const pageSize = 25
const newestFirst = `limit=${pageSize}&sort=id:desc`

const get = (path: string): LoadRequest => ({ method: 'GET', path })

/** Spread over all of them. */
const ids = (rows: number, count: number): number[] =>
  Array.from(
    { length: Math.min(rows, count) },
    (_, index, length = Math.min(rows, count)) => Math.floor((index * rows) / length) + 1,
  )

const offsets = (rows: number, count: number): number[] =>
  Array.from({ length: Math.min(Math.ceil(rows / pageSize), count) }, (_, index) => index * pageSize)

export const scenarios: readonly Scenario[] = [
  {
    name: 'entry',
    title: 'one entry by id',
    wantedRatio: 0.7,
    requests: (rows) => ids(rows, 1000).map((id) => get(`${base}/${id}`)),
  },
  {
    name: 'list',
    title: 'list of 25 with total',
    wantedRatio: 0.7,
    requests: (rows) => offsets(rows, 40).map((offset) => get(`${base}?${newestFirst}&offset=${offset}`)),
  },
  {
    name: 'populated',
    title: 'list of 25, author and categories populated',
    wantedRatio: 0.6,
    requests: (rows) =>
      offsets(rows, 40).map((offset) =>
        get(`${base}?${newestFirst}&offset=${offset}&populate=author,categories`),
      ),
  },
  {
    name: 'filtered',
    title: 'filtered list: featured, and a word in the title',
    wantedRatio: 0.7,
    requests: () =>
      words.map((word) =>
        get(`${base}?${newestFirst}&filters[featured][$eq]=true&filters[title][$contains]=${word}`),
      ),
  },
  {
    name: 'create',
    title: 'create with author and categories',
    wantedRatio: 0.6,
    requests: (_, salt) =>
      Array.from({ length: 100 }, (_, index) => ({
        method: 'POST',
        path: base,
        body: JSON.stringify(articleInput(index, `created-${salt}-${counterMarker}`)),
      })),
  },
]

/** @throws Error if a name is not one of a scenario */
export function pickScenarios(names: readonly string[] | undefined): readonly Scenario[] {
  if (names === undefined) return scenarios
  return names.map((name) => {
    const scenario = scenarios.find((candidate) => candidate.name === name)
    if (scenario === undefined) throw new Error(`--only names "${name}"; ${scenarioNames} exist`)
    return scenario
  })
}

const scenarioNames = scenarios.map(({ name }) => name).join(', ')
