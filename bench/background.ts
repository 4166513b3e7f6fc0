import { rm } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type Cleanup, createCleanup } from './cleanup.ts'
import { call } from './client.ts'
import { readDatabase } from './database.ts'
import type { LoadTarget } from './load.ts'
import { loopDelayPreload, readLoopDelay } from './observe.ts'
import { describeMachine, formatTable } from './report.ts'
import type { ServerProcess } from './server-process.ts'
import { createToken, type ServiceOptions, startService } from './service.ts'
import { createWorkspace } from './workspace.ts'

const usage = `npm run bench -- background [options]
  --db sqlite|postgres|mysql   the database (sqlite)
  --rows N                     articles (50000)
  --rate N                     reads a second (200)
  --seconds N                  of reads before, and at most while a job runs (10)

What reads wait for while work goes on in the background: the search index is built, a backup is made, words are tidied.
Wanted: p99 up to twice of that without, and 1.2 times the memory.`

function readOptions() {
  const { values } = parseArgs({
    options: {
      db: { type: 'string', default: 'sqlite' },
      rows: { type: 'string', default: '50000' },
      rate: { type: 'string', default: '200' },
      seconds: { type: 'string', default: '10' },
    },
  })
  const [rows, rate, seconds] = [Number(values.rows), Number(values.rate), Number(values.seconds)]
  if (![rows, rate, seconds].every((count) => count > 0)) throw new Error(usage)
  return { database: readDatabase(values.db), rows, rate, seconds }
}

type Options = ReturnType<typeof readOptions>

interface Bench extends Options {
  readonly target: LoadTarget
  readonly service: ServerProcess
  readonly socket: string
}

interface Measured {
  readonly name: string
  readonly times: readonly number[]
  readonly failed: number
  readonly loopMs: number
  readonly memoryMb: number
  readonly seconds: number
}

const agent = new Agent({ keepAlive: true })

/** Milliseconds until the whole response has arrived; undefined if it is not a success. */
function read(target: LoadTarget, path: string): Promise<number | undefined> {
  return new Promise((resolve) => {
    const startedAt = performance.now()
    const headers = { authorization: `Bearer ${target.token}` }
    request(`${target.url}${path}`, { agent, headers }, (response) => {
      response.resume().on('end', () => {
        resolve(response.statusCode === 200 ? performance.now() - startedAt : undefined)
      })
    })
      .on('error', () => resolve(undefined))
      .end()
  })
}

/** Entries and pages in turn, spread over the table. */
const pathOf = (number: number, rows: number) =>
  number % 2 === 0
    ? `/api/content/article/${((number * 7919) % rows) + 1}`
    : `/api/content/article?limit=25&total=false&offset=${(number * 37) % Math.min(rows, 2_000)}`

/** Sends reads at a fixed rate, without waiting for earlier ones, as long as `isDue` returns true. */
async function measure(name: string, bench: Bench, isDue: (elapsedMs: number) => boolean): Promise<Measured> {
  const { target, service, socket, rate, rows } = bench
  await readLoopDelay(socket)
  const startedAt = performance.now()
  const reads: Promise<number | undefined>[] = []
  let memoryMb = 0
  for (let elapsed = 0; isDue(elapsed); elapsed = performance.now() - startedAt) {
    const due = Math.floor((elapsed * rate) / 1_000)
    while (reads.length < due) reads.push(read(target, pathOf(reads.length, rows)))
    if (reads.length % 50 === 0) memoryMb = Math.max(memoryMb, (await service.readRssMb()) ?? 0)
    await sleep(1)
  }
  const seconds = (performance.now() - startedAt) / 1_000
  const answers = await Promise.all(reads)
  const times = answers.filter((time) => time !== undefined).sort((left, right) => left - right)
  const { maxMs } = await readLoopDelay(socket)
  return { name, times, failed: answers.length - times.length, loopMs: maxMs, memoryMb, seconds }
}

interface JobRow {
  readonly name: string
  readonly status: string
}

async function untilIdle({ target }: Bench): Promise<void> {
  for (;;) {
    const { data } = await call<readonly JobRow[]>(target, '/api/admin/jobs?limit=100')
    if (data.every(({ status }) => status !== 'waiting' && status !== 'active')) return
    await sleep(250)
  }
}

/** Measures from the start of the work until it ends. */
async function during(name: string, bench: Bench, start: () => Promise<unknown>): Promise<Measured> {
  const state = { isOver: false }
  const work = start()
    .then(() => untilIdle(bench))
    .finally(() => {
      state.isOver = true
    })
  const measured = await measure(name, bench, () => !state.isOver)
  await work
  return measured
}

async function runSchedule(target: LoadTarget, name: string): Promise<void> {
  const { data } = await call<readonly { id: number; name: string }[]>(target, '/api/admin/scheduled-jobs')
  const schedule = data.find((each) => each.name === name)
  if (schedule === undefined) throw new Error(`there is no schedule ${name}`)
  await call(target, `/api/admin/scheduled-jobs/${schedule.id}/run`, { method: 'POST' })
}

/** The first start builds the index; the second finds it built. */
async function run(options: Options, cleanup: Cleanup): Promise<void> {
  const { folder, service: serviceOptions } = await createWorkspace(options, cleanup)
  const first = await start({ options, folder, serviceOptions }, cleanup)
  const building = await during('search index', first, async () => {})
  await first.service.stop()
  const bench = await start({ options, folder, serviceOptions }, cleanup)
  const { target, seconds } = bench
  const alone = await measure('alone', bench, (elapsed) => elapsed < seconds * 1_000)
  const backup = await during('backup', bench, () =>
    call(target, '/api/admin/backups', { method: 'POST', body: { async: true } }),
  )
  const tidying = await during('tidying words', bench, () => runSchedule(target, 'search.tidy'))
  const at = ({ times }: Measured, part: number) => times[Math.floor(times.length * part)] ?? Number.NaN
  const rows = [alone, building, backup, tidying].map((each) => [
    each.name,
    each.seconds.toFixed(1),
    ...[0.5, 0.99, 0.999].map((part) => at(each, part).toFixed(1)),
    (at(each, 0.99) / at(alone, 0.99)).toFixed(2),
    String(each.failed),
    each.loopMs.toFixed(0),
    each.memoryMb.toFixed(0),
  ])
  const header = ['', 'seconds', 'p50 ms', 'p99 ms', 'p99.9 ms', 'ratio', 'failed', 'loop ms', 'MB']
  console.log(formatTable([header, ...rows]))
}

interface Startable {
  readonly options: Options
  readonly folder: string
  readonly serviceOptions: ServiceOptions
}

async function start({ options, folder, serviceOptions }: Startable, cleanup: Cleanup): Promise<Bench> {
  const socket = join(folder, 'loop.sock')
  await rm(socket, { force: true })
  const service = await startService({
    ...serviceOptions,
    nodeOptions: ['--import', loopDelayPreload],
    environment: { BENCH_LOOP_SOCKET: socket },
  })
  cleanup.add(service.stop)
  const token = await createToken(service, ['admin:*'])
  return { ...options, target: { url: service.url, token }, service, socket }
}

const options = readOptions()
const { node, cores, load } = describeMachine()
console.log(
  `${options.database}, ${options.rows} articles, Node ${node}, ${cores} cores, load ${load.toFixed(1)}`,
)
const cleanup = createCleanup()
try {
  await run(options, cleanup)
} finally {
  agent.destroy()
  await cleanup.run()
}
