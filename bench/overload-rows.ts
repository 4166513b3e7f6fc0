import autocannon from 'autocannon'
import { call } from './client.ts'
import { words } from './data.ts'
import type { LoadTarget } from './load.ts'
import { formatTable } from './report.ts'

/** The request paths of a row, each with a different page or word. */
interface Row {
  readonly name: string
  readonly paths: (articles: number) => readonly string[]
}

const pathsOfARow = 200
const listPath = '/api/content/article?sort=created_at:desc&limit=25'

function eachOf(path: (index: number) => string): readonly string[] {
  return Array.from({ length: pathsOfARow }, (_, index) => path(index))
}

/** Pages spread over the table, the same in every run. */
const offsetOf = (index: number, articles: number) => (index * 7_919) % Math.max(1, articles - 25)
const wordOf = (index: number) => words[index % words.length]

const rows: readonly Row[] = [
  {
    name: 'newest 25, random page',
    paths: (articles) => eachOf((index) => `${listPath}&offset=${offsetOf(index, articles)}`),
  },
  {
    name: 'newest 25, author and categories',
    paths: (articles) =>
      eachOf((index) => `${listPath}&populate=author,categories&offset=${offsetOf(index, articles)}`),
  },
  {
    name: 'rank > N and title contains a word',
    paths: () =>
      eachOf(
        (index) =>
          `${listPath}&filters[rank][$gt]=${(index * 37) % 9_000}&filters[title][$contains]=${wordOf(index)}`,
      ),
  },
  {
    name: 'full text',
    paths: () => eachOf((index) => `/api/content/article?limit=25&search=${wordOf(index)}`),
  },
]

async function measure(
  { url, token }: LoadTarget,
  paths: readonly string[],
  load: { readonly connections: number; readonly seconds: number },
): Promise<readonly string[]> {
  const result = await autocannon({
    url,
    connections: load.connections,
    duration: load.seconds,
    headers: { authorization: `Bearer ${token}` },
    requests: paths.map((path) => ({ method: 'GET', path })),
  })
  const { p50, p99 } = result.latency
  return [
    (result['2xx'] / result.duration).toFixed(0),
    String(result.non2xx),
    String(result.errors + result.timeouts),
    p50.toFixed(0),
    p99.toFixed(0),
    (p99 / p50).toFixed(1),
  ]
}

/** Prints how many requests with a token succeed and how many are refused, at each number of connections. */
export async function measureRows(
  target: LoadTarget,
  options: { readonly connections: readonly number[]; readonly seconds: number },
): Promise<void> {
  const { pagination } = await call<unknown>(target, '/api/content/article?limit=1')
  const articles = pagination?.total ?? 0
  console.log(`${articles} articles, ${options.seconds} s for each row`)
  const lines: (readonly string[])[] = []
  for (const { name, paths } of rows) {
    for (const connections of options.connections) {
      const found = await measure(target, paths(articles), { connections, seconds: options.seconds })
      lines.push([name, String(connections), ...found])
    }
  }
  const heads = ['', 'connections', 'requests/s', 'refused', 'failed', 'p50 ms', 'p99 ms', 'p99 / p50']
  console.log(formatTable([heads, ...lines]))
}
