import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { DialectName } from '../core-plugins/foundation/database/database.ts'
import { type Cleanup, createCleanup } from './cleanup.ts'
import { call, mapConcurrently } from './client.ts'
import { createDatabase, readDatabase } from './database.ts'
import { type OpenPanel, openPanel } from './live/open-panel.ts'
import type { LoadTarget } from './load.ts'
import { describeMachine, formatTable } from './report.ts'
import type { ServerProcess } from './server-process.ts'
import { type ServiceOptions, signIn, startService } from './service.ts'
import { median } from './throughput.ts'
import { createFolder, schemasFolder } from './workspace.ts'

const usage = `npm run bench -- live [options]
  --db sqlite|postgres|mysql   the database (sqlite)
  --redis URL                  a Redis that the processes share; none otherwise
  --panels N                   open at the same time (200)
  --seconds N                  of looking at nothing (30)`

/** Panels per person, below the limit. */
const panelsOfUser = 10
const rounds = 20

interface Options {
  readonly database: DialectName
  readonly redis: string | undefined
  readonly panels: number
  readonly seconds: number
}

function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      db: { type: 'string', default: 'sqlite' },
      redis: { type: 'string' },
      panels: { type: 'string', default: '200' },
      seconds: { type: 'string', default: '30' },
    },
  })
  const [panels, seconds] = [Number(values.panels), Number(values.seconds)]
  if (![panels, seconds].every((count) => Number.isSafeInteger(count) && count > 0)) throw new Error(usage)
  return { database: readDatabase(values.db), redis: values.redis, panels, seconds }
}

/** Two processes on one database, and admin users. */
interface Bench {
  readonly here: ServerProcess
  readonly there: ServerProcess
  /** One token per person. */
  readonly tokens: readonly string[]
  readonly articleId: number
}

async function start({ database: dialect, redis, panels }: Options, cleanup: Cleanup): Promise<Bench> {
  const folder = await createFolder(cleanup)
  const database = await createDatabase(dialect, folder)
  cleanup.add(database.drop)
  const options: ServiceOptions = {
    ...{ databaseUrl: database.url, schemasFolder, folder },
    environment: redis === undefined ? {} : { REDIS_URL: redis },
  }
  const here = await startService(options)
  cleanup.add(here.stop)
  const there = await startService(options)
  cleanup.add(there.stop)
  const target = { url: here.url, token: await signIn(here) }
  const people = Array.from({ length: Math.ceil(panels / panelsOfUser) + 1 }, (_, index) => index)
  const tokens = await mapConcurrently(people, 2, (index) => newPerson(target, index))
  const article = { title: 'An article', slug: 'an-article', rank: 0, body: 'Text.' }
  const made = await call<{ id: number }>(target, '/api/content/article', { method: 'POST', body: article })
  return { here, there, tokens, articleId: made.data.id }
}

async function newPerson(target: LoadTarget, index: number): Promise<string> {
  const username = `person${index}`
  const password = 'a password of the benchmark'
  const account = { username, password, email: `${username}@example.com`, role: 'super-admin' }
  await call(target, '/api/admin/auth/register', { method: 'POST', body: account })
  const login = { method: 'POST', body: { identifier: username, password } } as const
  return (await call<{ token: string }>({ url: target.url, token: '' }, '/api/admin/auth/login', login)).data
    .token
}

type Opener = (token: string) => Promise<OpenPanel>

/** The share of one core, in per cent, that a process uses while panels are open and nothing happens. */
async function measureIdle({ here, tokens }: Bench, { panels, seconds }: Options, open: Opener | undefined) {
  const opened: OpenPanel[] = []
  if (open !== undefined) {
    for (let index = 0; index < panels; index++) {
      opened.push(await open(tokens[Math.floor(index / panelsOfUser)] ?? ''))
    }
  }
  // By then, the work caused by opening them is done.
  await sleep(5_000)
  const [before, startedAt] = [(await here.readCpuMs()) ?? Number.NaN, performance.now()]
  await sleep(seconds * 1_000)
  const used = ((await here.readCpuMs()) ?? Number.NaN) - before
  const percent = (used / (performance.now() - startedAt)) * 100
  await Promise.all(opened.map((panel) => panel.close()))
  return percent
}

/** Milliseconds from a request to one process until a panel connected to the other one is notified. */
async function measureNews({ here, there, tokens, articleId: id }: Bench) {
  const [near, far] = [
    { url: here.url, token: tokens[0] ?? '' },
    { url: there.url, token: tokens[1] ?? '' },
  ]
  const place = { type: 'article', id }
  const [writer, reader] = [await openPanel(near, place), await openPanel(far, place)]
  const presence: number[] = []
  const changes: number[] = []
  for (let round = 0; round < rounds; round++) {
    // At a random time between two polls of the database.
    await sleep(Math.random() * 1_000)
    let startedAt = performance.now()
    const met = reader.hears(`"field":"field${round}"`)
    await writer.focus(`field${round}`)
    presence.push((await met) - startedAt)
    await sleep(Math.random() * 1_000)
    startedAt = performance.now()
    const told = reader.hears('"operation":"update"')
    await call(near, `/api/content/article/${id}`, { method: 'PUT', body: { title: `Title ${round}` } })
    changes.push((await told) - startedAt)
  }
  await Promise.all([writer.close(), reader.close()])
  return { presence, changes }
}

/** Measures the cost of idle panels, and how long they wait for events from another process. */
async function main(args: readonly string[]): Promise<void> {
  const options = readOptions(args)
  const { node, load } = describeMachine()
  const cleanup = createCleanup()
  try {
    const bench = await start(options, cleanup)
    console.log(
      `Node ${node}, load before ${load.toFixed(1)}, ${options.database}, ${options.redis ?? 'no Redis'}\n`,
    )
    const percents = {
      'no panel': await measureIdle(bench, options, undefined),
      [`${options.panels} panels in lists`]: await measureIdle(bench, options, (token) =>
        openPanel({ url: bench.here.url, token }),
      ),
      [`${options.panels} panels in an entry`]: await measureIdle(bench, options, (token) =>
        openPanel({ url: bench.here.url, token }, { type: 'article', id: bench.articleId }),
      ),
    }
    const idle = Object.entries(percents).map(([name, percent]) => [name, percent.toFixed(1)])
    console.log(formatTable([['when nothing happens', '% of a core'], ...idle]))
    const { presence, changes } = await measureNews(bench)
    const row = (name: string, times: readonly number[]) => [
      name,
      ...[median(times), Math.max(...times)].map((ms) => ms.toFixed(0)),
    ]
    const news = [row('who is in which field', presence), row('an entry has changed', changes)]
    console.log(`\n${formatTable([['known in another process', 'median ms', 'most ms'], ...news])}`)
  } finally {
    await cleanup.run()
  }
}

main(process.argv.slice(2)).catch((error: Error) => {
  console.error(error)
  process.exitCode = 1
})
