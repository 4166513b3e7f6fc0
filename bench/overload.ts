import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { DialectName } from '../core-plugins/foundation/database/database.ts'
import { type Cleanup, createCleanup } from './cleanup.ts'
import { call, mapConcurrently } from './client.ts'
import { analyzeDatabase, createDatabase, readDatabase } from './database.ts'
import { fillService } from './fill.ts'
import type { LoadTarget } from './load.ts'
import { measureRows } from './overload-rows.ts'
import { describeMachine, formatTable } from './report.ts'
import { createToken, signIn, startService } from './service.ts'
import { median } from './throughput.ts'
import { createFolder, schemasFolder } from './workspace.ts'

const usage = `npm run bench -- overload [options]
  --db sqlite|postgres|mysql   the database (sqlite)
  --times N                    anonymous reads, as a multiple of what the service can answer (3)
  --rounds N                   with the plugin on and off in turn (3)
  --seconds N                  of load in a round (8)
  --table                      instead: reads with a token, and how many of them are refused
  --rows N                     articles (500; with --table 10000)
  --connections 64,256         of the table`

interface Options {
  readonly database: DialectName
  readonly times: number
  readonly rounds: number
  readonly seconds: number
  readonly isTable: boolean
  readonly rows: number
  readonly connections: readonly number[]
}

function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      db: { type: 'string', default: 'sqlite' },
      times: { type: 'string', default: '3' },
      rounds: { type: 'string', default: '3' },
      seconds: { type: 'string', default: '8' },
      table: { type: 'boolean', default: false },
      rows: { type: 'string' },
      connections: { type: 'string', default: '64,256' },
    },
  })
  const [times, rounds, seconds] = [Number(values.times), Number(values.rounds), Number(values.seconds)]
  const isTable = values.table
  const rows = Number(values.rows ?? (isTable ? 10_000 : 500))
  const connections = values.connections.split(',').map(Number)
  if (![times, rounds, seconds, rows, ...connections].every((count) => count > 0)) throw new Error(usage)
  return { database: readDatabase(values.db), times, rounds, seconds, isTable, rows, connections }
}

/** Browsers and proxies do not wait for ever either. */
const patienceMs = 10_000
const dearPath = '/api/content/article?limit=100&populate=author,categories&sort=title'

/** Requests of one kind, sent at a fixed rate without waiting for earlier ones. */
interface Stream {
  readonly name: string
  readonly perSecond: number
  send(target: string, agent: Agent): Promise<number>
}

interface Outcome {
  readonly sent: number
  /** The durations of successful requests in milliseconds. */
  readonly times: readonly number[]
  readonly refused: number
}

/** Resolves with the status, 0 if no response arrived in time. */
function exchange(
  target: string,
  agent: Agent,
  { path, token, body }: { path: string; token?: string; body?: string },
): Promise<number> {
  return new Promise((resolve) => {
    const headers = {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    }
    const method = body === undefined ? 'GET' : 'POST'
    const options = { agent, method, headers, signal: AbortSignal.timeout(patienceMs) }
    const sent = request(target + path, options, (response) => {
      response.on('error', () => resolve(0))
      response.on('end', () => resolve(response.statusCode ?? 0))
      response.resume()
    })
    sent.on('error', () => resolve(0))
    sent.end(body)
  })
}

let written = 0

function streamsOf(token: string, anonymousPerSecond: number, articles: number): readonly Stream[] {
  return [
    {
      name: 'dear reads, anonymous',
      perSecond: anonymousPerSecond,
      send: (target, agent) => exchange(target, agent, { path: dearPath }),
    },
    {
      name: 'reads with a token',
      perSecond: 20,
      send: (target, agent) =>
        exchange(target, agent, {
          path: `/api/content/article/${1 + Math.floor(Math.random() * articles)}`,
          token,
        }),
    },
    {
      name: 'writes with a token',
      perSecond: 5,
      send(target, agent) {
        const article = { title: 'New', slug: `new-${++written}`, rank: 0, body: 'Text.' }
        return exchange(target, agent, { path: '/api/content/article', token, body: JSON.stringify(article) })
      },
    },
  ]
}

/** Sends a stream of requests, and waits for the last response. */
async function run(stream: Stream, target: string, seconds: number): Promise<Outcome> {
  const agent = new Agent({ keepAlive: true })
  const times: number[] = []
  const pending: Promise<void>[] = []
  let refused = 0
  const sendOne = async () => {
    const startedAt = performance.now()
    const status = await stream.send(target, agent)
    if (status === 503) refused += 1
    if (status >= 200 && status < 300) times.push(performance.now() - startedAt)
  }
  const startedAt = performance.now()
  for (let passed = 0; passed < seconds; passed = (performance.now() - startedAt) / 1000) {
    while (pending.length < passed * stream.perSecond) pending.push(sendOne())
    await sleep(5)
  }
  await Promise.all(pending)
  agent.destroy()
  return { sent: pending.length, times, refused }
}

/** The number of expensive reads per second that the otherwise idle service can handle. */
async function measureCapacity(target: string): Promise<number> {
  const agent = new Agent({ keepAlive: true })
  const counts: number[] = []
  for (let round = 0; round < 3; round += 1) {
    const endsAt = performance.now() + 2_000
    let count = 0
    await mapConcurrently([1, 2, 3, 4], 4, async () => {
      while (performance.now() < endsAt) {
        if ((await exchange(target, agent, { path: dearPath })) === 200) count += 1
      }
    })
    counts.push(count / 2)
  }
  agent.destroy()
  return median(counts)
}

interface Bench {
  readonly admin: LoadTarget
  readonly token: string
}

async function start({ database: dialect, rows: articles }: Options, cleanup: Cleanup): Promise<Bench> {
  const folder = await createFolder(cleanup)
  const database = await createDatabase(dialect, folder)
  cleanup.add(database.drop)
  const service = await startService({ databaseUrl: database.url, schemasFolder, folder })
  cleanup.add(service.stop)
  const admin = { url: service.url, token: await signIn(service) }
  await fillService(admin, articles)
  await analyzeDatabase(dialect, database.url)
  const roles = await call<{ id: number; name: string }[]>(admin, '/api/admin/roles')
  const anyone = roles.data.find(({ name }) => name === 'public')
  const read = { read: true }
  const permissions = { content: { article: read, author: read, category: read } }
  await call(admin, `/api/admin/roles/${anyone?.id}`, { method: 'PUT', body: { permissions } })
  const published = Array.from({ length: articles }, (_, index) => index + 1)
  await mapConcurrently(published, 8, (id) =>
    call(admin, `/api/content/article/${id}/publish`, { method: 'PUT' }),
  )
  return { admin, token: await createToken(service) }
}

type Outcomes = ReadonlyMap<string, Outcome[]>

async function measure(bench: Bench, streams: readonly Stream[], { rounds, seconds }: Options) {
  const outcomes: Readonly<Record<'on' | 'off', Outcomes>> = {
    on: new Map(streams.map(({ name }) => [name, []])),
    off: new Map(streams.map(({ name }) => [name, []])),
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const plugin of ['off', 'on'] as const) {
      const body = { 'overload.enabled': plugin === 'on' }
      await call(bench.admin, '/api/admin/config', { method: 'PUT', body })
      const found = await Promise.all(streams.map((stream) => run(stream, bench.admin.url, seconds)))
      for (const [index, { name }] of streams.entries()) {
        outcomes[plugin].get(name)?.push(found[index] as Outcome)
      }
    }
  }
  return outcomes
}

const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0)

function percentile(times: readonly number[], part: number): number {
  return times.toSorted((left, right) => left - right)[Math.floor(times.length * part)] ?? Number.NaN
}

function summaryOf(outcomes: readonly Outcome[]) {
  const times = outcomes.flatMap((outcome) => outcome.times)
  const sent = sum(outcomes.map((outcome) => outcome.sent))
  return {
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    success: (100 * times.length) / sent,
    refused: (100 * sum(outcomes.map(({ refused }) => refused))) / sent,
  }
}

function printResults(streams: readonly Stream[], found: Readonly<Record<'on' | 'off', Outcomes>>): void {
  const rows = streams.flatMap(({ name }) => {
    const [off, on] = [summaryOf(found.off.get(name) ?? []), summaryOf(found.on.get(name) ?? [])]
    const row = (plugin: string, { p50, p99, success, refused }: typeof on) => [
      ...[name, plugin, p50.toFixed(0), p99.toFixed(0), success.toFixed(1), refused.toFixed(1)],
    ]
    const ratio = (key: 'p50' | 'p99' | 'success') => (on[key] / off[key]).toFixed(2)
    return [
      row('off', off),
      row('on', on),
      [name, 'on / off', ratio('p50'), ratio('p99'), ratio('success'), ''],
    ]
  })
  console.log(formatTable([['', 'plugin', 'p50 ms', 'p99 ms', 'success %', '503 %'], ...rows]))
}

/** Measures which requests are served while anonymous clients request more than the service can handle. */
async function main(args: readonly string[]): Promise<void> {
  const options = readOptions(args)
  const cleanup = createCleanup()
  try {
    const bench = await start(options, cleanup)
    if (options.isTable) return await measureRows({ ...bench.admin, token: bench.token }, options)
    const capacity = await measureCapacity(bench.admin.url)
    const { node, cores, load } = describeMachine()
    console.log(
      `Node ${node}, ${cores} cores, load ${load.toFixed(1)}, ${options.database}; ` +
        `${capacity.toFixed(0)} dear reads a second can be answered, ${options.times} times as many are sent\n`,
    )
    const streams = streamsOf(bench.token, capacity * options.times, options.rows)
    printResults(streams, await measure(bench, streams, options))
  } finally {
    await cleanup.run()
  }
}

main(process.argv.slice(2)).catch((error: Error) => {
  console.error(error)
  process.exitCode = 1
})
