import assert from 'node:assert/strict'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { translatedFile } from '../core-plugins/foundation/config/config.ts'
import { createCleanup } from './cleanup.ts'
import { createDatabase } from './database.ts'
import { fillFloor } from './floor/floor.ts'
import { findLoader, type Load, type LoadRequest, type LoadTarget } from './load.ts'
import { readCommand } from './options.ts'
import { describeMachine, formatTable } from './report.ts'
import { type ServerProcess, startServer } from './server-process.ts'
import { startService } from './service.ts'
import { median } from './throughput.ts'
import { createWorkspace, type Workspace } from './workspace.ts'

const pageSize = 25
const floorScript = fileURLToPath(new URL('./graphql/mercurius-server.ts', import.meta.url))

const times = 'created_at updated_at'
const document = `query ($offset: Int!) {
  articles(sort: "id:desc", limit: ${pageSize}, offset: $offset) {
    data {
      id title slug featured rank body
      author { id name email bio ${times} }
      categories { id name slug ${times} }
      published_at ${times}
    }
    pagination { total limit offset hasMore }
  }
}`

/** One way to get the same page. */
interface Side {
  readonly title: string
  readonly target: LoadTarget
  readonly process: ServerProcess
  readonly request: (offset: number) => LoadRequest
}

const overGraphql = (offset: number): LoadRequest => ({
  method: 'POST',
  path: '/api/graphql',
  body: JSON.stringify({ query: document, variables: { offset } }),
})

const overRest = (offset: number): LoadRequest => ({
  method: 'GET',
  path: `/api/content/article?limit=${pageSize}&sort=id:desc&offset=${offset}&populate=author,categories`,
})

/** Checks that all sides return the same page, in REST format. @throws AssertionError if they differ */
async function assertSamePages(sides: readonly Side[]): Promise<void> {
  const pages = await Promise.all(sides.map((side) => readPage(side)))
  for (const page of pages) assert.deepEqual(page, pages[0])
  assert.equal(pages[0]?.data.length, pageSize)
}

interface Page {
  readonly data: readonly unknown[]
  readonly pagination: unknown
}

async function readPage({ target, request }: Side): Promise<Page> {
  const { method, path, body } = request(pageSize)
  const response = await fetch(`${target.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${target.token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body }),
  })
  const answer = (await response.json()) as Page | { readonly data: { readonly articles: Page } }
  const { data, pagination } = 'pagination' in answer ? answer : answer.data.articles
  return { data, pagination }
}

async function startSides(workspace: Workspace, cleanup: ReturnType<typeof createCleanup>): Promise<Side[]> {
  const { service: options, token, data, folder } = workspace
  if (data === undefined) throw new Error('the floor takes at most 100000 articles; say so in --rows')
  const service = await startService(options)
  cleanup.add(service.stop)
  const database = await createDatabase('sqlite', folder)
  cleanup.add(database.drop)
  await fillFloor('sqlite', database.url, data)
  const floor = await startServer({
    nodeArguments: [...process.execArgv, translatedFile(floorScript)],
    readyPath: '/ready',
    folder,
    logFile: join(folder, 'mercurius.log'),
    environment: { NODE_ENV: 'production', DATABASE_URL: database.url, FLOOR_TOKEN: token },
  })
  cleanup.add(floor.stop)
  const target = { url: service.url, token }
  return [
    { title: 'REST', target, process: service, request: overRest },
    { title: 'GraphQL', target, process: service, request: overGraphql },
    { title: 'mercurius by hand', target: { url: floor.url, token }, process: floor, request: overGraphql },
  ]
}

/** Measures requests per second of each side in alternation, so that machine noise affects all sides. */
async function measure(
  sides: readonly Side[],
  load: Load,
  options: ReturnType<typeof readCommand>['options'],
) {
  const { rows, connections, seconds, warmUpSeconds, rounds } = options
  const offsets = Array.from(
    { length: Math.min(Math.ceil(rows / pageSize), 40) },
    (_, index) => index * pageSize,
  )
  const run = (side: Side, duration: number) =>
    load(side.target, { requests: offsets.map(side.request), connections, seconds: duration })
  for (const side of sides) await run(side, warmUpSeconds)
  const measured: { rate: number; p99Ms: number }[][] = []
  for (let round = 0; round < rounds; round++) {
    const results: { rate: number; p99Ms: number }[] = []
    for (const side of sides) {
      const { requestsPerSecond, p99Ms } = await run(side, seconds)
      results.push({ rate: requestsPerSecond, p99Ms })
    }
    measured.push(results)
  }
  return measured
}

async function main(args: readonly string[]): Promise<void> {
  const { options } = readCommand(args)
  if (options.database !== 'sqlite') throw new Error('the floor of this benchmark is on SQLite')
  const cleanup = createCleanup()
  const { load, name } = await findLoader()
  try {
    console.error(`filling SQLite with ${options.rows} articles`)
    const sides = await startSides(await createWorkspace(options, cleanup), cleanup)
    await assertSamePages(sides)
    console.error('measuring')
    const measured = await measure(sides, load, options)
    const rest = (results: (typeof measured)[number]) => results[0]?.rate ?? Number.NaN
    const rows = await Promise.all(
      sides.map(async ({ title, process: server }, index) => {
        const rates = measured.map((results) => results[index]?.rate ?? Number.NaN)
        const ratios = measured.map((results) => (results[index]?.rate ?? Number.NaN) / rest(results))
        const p99Ms = measured.map((results) => results[index]?.p99Ms ?? Number.NaN)
        const rssMb = await server.readRssMb()
        return [
          title,
          median(rates).toFixed(0),
          median(p99Ms).toFixed(1),
          median(ratios).toFixed(2),
          `${rssMb?.toFixed(0) ?? '-'}`,
        ]
      }),
    )
    const { node, load: busyness } = describeMachine()
    console.log(
      `a page of ${pageSize} articles with authors and categories; ${name}, Node ${node}, load ${busyness.toFixed(1)}\n`,
    )
    console.log(formatTable([['', 'req/s', 'p99 ms', 'ratio to REST', 'memory MB'], ...rows]))
  } finally {
    await cleanup.run()
  }
}

main(process.argv.slice(2)).catch((error: Error) => {
  console.error(error)
  process.exitCode = 1
})
