import { parseArgs } from 'node:util'
import type { DialectName } from '../core-plugins/foundation/database/database.ts'
import { type Cleanup, createCleanup } from './cleanup.ts'
import { call, mapConcurrently } from './client.ts'
import { articleInput } from './data.ts'
import { readDatabase } from './database.ts'
import type { LoadTarget } from './load.ts'
import { startService } from './service.ts'
import { openReceiver, type Receiver } from './webhook-receiver.ts'
import { createWorkspace } from './workspace.ts'

interface Options {
  readonly database: DialectName
  readonly changes: number
  readonly rounds: number
  readonly writesPerRound: number
}

const usage = `npm run bench -- webhooks [options]
  --db sqlite|postgres|mysql   the database (sqlite)
  --changes N                  of the burst whose deliveries are timed (10000)
  --quick                      fewer rounds and writes`

const writersAtOnce = 16
const pacedChanges = 500
const pacedPerSecond = 100
const subscribers = 3

function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      db: { type: 'string', default: 'sqlite' },
      changes: { type: 'string', default: '10000' },
      quick: { type: 'boolean', default: false },
    },
  })
  const { db, changes, quick } = values
  const isCount = Number.isSafeInteger(Number(changes)) && Number(changes) > 0
  if (!isCount) throw new Error(usage)
  const effort = quick ? { rounds: 3, writesPerRound: 200 } : { rounds: 7, writesPerRound: 500 }
  return { database: readDatabase(db), changes: Number(changes), ...effort }
}

/** The context of the scenarios. */
interface Bench {
  readonly target: LoadTarget
  readonly receiver: Receiver
  readonly options: Options
  /** Whether the process that handles the writes also makes the deliveries. */
  readonly delivers: boolean
}

let articles = 1_000_000

async function createArticle({ target }: Bench): Promise<{ id: number; ms: number }> {
  const body = articleInput(articles++)
  const startedAt = performance.now()
  const { data } = await call<{ id: number }>(target, '/api/content/article', { method: 'POST', body })
  return { id: data.id, ms: performance.now() - startedAt }
}

async function subscribe({ target, receiver }: Bench, enabled: boolean): Promise<number> {
  const body = { name: 'bench', url: receiver.url, events: ['entry.create'], secret: 'a secret', enabled }
  return (await call<{ id: number }>(target, '/api/webhooks', { method: 'POST', body })).data.id
}

const enable = ({ target }: Bench, ids: readonly number[], enabled: boolean) =>
  Promise.all(ids.map((id) => call(target, `/api/webhooks/${id}`, { method: 'PUT', body: { enabled } })))

const percentile = (values: readonly number[], part: number): number =>
  values.toSorted((left, right) => left - right)[Math.max(0, Math.ceil(values.length * part) - 1)] ??
  Number.NaN

const median = (values: readonly number[]): number => percentile(values, 0.5)

/** Runs one round of writes; returns milliseconds of a single write, and per write of many concurrent ones. */
async function measureWrites(bench: Bench) {
  const { writesPerRound } = bench.options
  const alone: number[] = []
  for (let count = 0; count < writesPerRound; count++) alone.push((await createArticle(bench)).ms)
  const startedAt = performance.now()
  await mapConcurrently(Array.from({ length: writesPerRound }), writersAtOnce, () => createArticle(bench))
  const together = (performance.now() - startedAt) / writesPerRound
  return { alone: median(alone), together }
}

/** Measures writes with and without subscribers in turn, so that a slow moment of the machine affects both. */
async function compareWrites(bench: Bench): Promise<void> {
  const ids: number[] = []
  for (let count = 0; count < subscribers; count++) ids.push(await subscribe(bench, false))
  await measureWrites(bench)
  const rounds: {
    without: Awaited<ReturnType<typeof measureWrites>>
    told: (typeof rounds)[number]['without']
  }[] = []
  for (let round = 0; round < bench.options.rounds; round++) {
    const without = await measureWrites(bench)
    await enable(bench, ids, true)
    const expected = bench.receiver.count() + 2 * bench.options.writesPerRound * subscribers
    const told = await measureWrites(bench)
    if (bench.delivers) await bench.receiver.untilCount(expected)
    await enable(bench, ids, false)
    rounds.push({ without, told })
  }
  for (const id of ids) await call(bench.target, `/api/webhooks/${id}`, { method: 'DELETE' })
  for (const [name, title] of [
    ['alone', 'one after the other'],
    ['together', `${writersAtOnce} at a time`],
  ] as const) {
    const without = median(rounds.map((round) => round.without[name]))
    const told = median(rounds.map((round) => round.told[name]))
    const ratio = median(rounds.map((round) => round.told[name] / round.without[name]))
    console.log(
      `create, ${title}: ${without.toFixed(2)} ms without webhooks, ${told.toFixed(2)} ms with ${subscribers}, ` +
        `ratio ${ratio.toFixed(2)} (wanted 1.50, ${ratio <= 1.5 ? 'met' : 'missed'})`,
    )
  }
}

/** Milliseconds from the response to a write, which follows its commit, to the arrival of its delivery. */
async function lagsOf(bench: Bench, write: () => Promise<ReadonlyMap<number, number>>): Promise<number[]> {
  const expected = bench.receiver.count()
  const committed = await write()
  await bench.receiver.untilCount(expected + committed.size)
  return [...committed].map(([id, atMs]) => Math.max(0, (bench.receiver.arrivalOf(id) ?? Number.NaN) - atMs))
}

async function measureDeliveries(bench: Bench): Promise<void> {
  const id = await subscribe(bench, true)
  const { changes } = bench.options
  const startedAt = performance.now()
  const burst = await lagsOf(bench, async () => {
    const committed = new Map<number, number>()
    await mapConcurrently(Array.from({ length: changes }), writersAtOnce, async () => {
      const { id } = await createArticle(bench)
      committed.set(id, performance.now())
    })
    console.log(`burst: ${changes} changes in ${seconds(startedAt)} s, ${rate(changes, startedAt)} a second`)
    return committed
  })
  console.log(
    `burst: all delivered in ${seconds(startedAt)} s, ${rate(changes, startedAt)} a second, ` +
      `lag p50 ${median(burst).toFixed(0)} ms, p99 ${percentile(burst, 0.99).toFixed(0)} ms`,
  )
  const paced = await lagsOf(bench, () => writePaced(bench))
  console.log(
    `${pacedPerSecond} changes a second: lag p50 ${median(paced).toFixed(1)} ms, ` +
      `p99 ${percentile(paced, 0.99).toFixed(1)} ms`,
  )
  await enable(bench, [id], false)
}

async function writePaced(bench: Bench): Promise<Map<number, number>> {
  const committed = new Map<number, number>()
  const writes: Promise<void>[] = []
  for (let count = 0; count < pacedChanges; count++) {
    const written = createArticle(bench).then(({ id }) => void committed.set(id, performance.now()))
    writes.push(written)
    await new Promise((resolve) => setTimeout(resolve, 1000 / pacedPerSecond))
  }
  await Promise.all(writes)
  return committed
}

const seconds = (startedAt: number) => ((performance.now() - startedAt) / 1000).toFixed(1)
const rate = (count: number, startedAt: number) =>
  ((count * 1000) / (performance.now() - startedAt)).toFixed(0)

async function run(options: Options, cleanup: Cleanup): Promise<void> {
  const receiver = await openReceiver()
  cleanup.add(receiver.close)
  /** Runs work on a service with its own database, so that no undelivered events remain from another run. */
  const withService = async (role: 'all' | 'web', work: (bench: Bench) => Promise<void>) => {
    const workspace = await createWorkspace({ ...options, ...small }, cleanup)
    const environment = { SVC_WEBHOOKS_ALLOW_PRIVATE_NETWORKS: 'true', SVC_ROLE: role }
    const service = await startService({ ...workspace.service, environment })
    try {
      await work({
        target: { url: service.url, token: workspace.token },
        receiver,
        options,
        delivers: role === 'all',
      })
    } finally {
      await service.stop()
    }
  }
  console.log(`${options.database}, Node ${process.version}, a receiver on the same machine`)
  console.log('deliveries are left to other processes:')
  await withService('web', compareWrites)
  console.log('the same process makes them, too:')
  await withService('all', async (bench) => {
    await compareWrites(bench)
    await measureDeliveries(bench)
  })
}

/** The tables must not be empty, but need not contain much. */
const small = {
  ...{ rows: 500, seconds: 0, warmUpSeconds: 0, connections: 1, boots: 0, zoneWrites: 0 },
  withHeaders: false,
}

async function main(args: readonly string[]): Promise<void> {
  const cleanup = createCleanup()
  try {
    await run(readOptions(args), cleanup)
  } finally {
    await cleanup.run()
  }
}

main(process.argv.slice(2)).catch((error: Error) => {
  console.error(error.message)
  process.exitCode = 1
})
