import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { createCleanup } from './cleanup.ts'
import { call } from './client.ts'
import { createDatabase, readDatabase } from './database.ts'
import { fillService } from './fill.ts'
import { findLoader, type LoadTarget } from './load.ts'
import {
  delays,
  loopDelayPreload,
  mb,
  ms,
  readLoopDelay,
  readPeakRssMb,
  upload,
  whileRepeating,
} from './observe.ts'
import { describeMachine } from './report.ts'
import type { ServerProcess } from './server-process.ts'
import { createToken, startService } from './service.ts'
import { createFolder } from './workspace.ts'

const schemasFolder = fileURLToPath(new URL('./schemas/', import.meta.url))

const thorough = { articles: 100_000, mediaMb: 1_024 }
const quick = { articles: 10_000, mediaMb: 100 }
const fileMb = 16
const reads = {
  requests: [{ method: 'GET', path: '/api/content/article?limit=20' } as const],
  connections: 16,
  seconds: 10,
}
const settleMs = 2_000
// Restoring requires every permission on the restored data.
const scopes = ['admin:*']

interface BackupAnswer {
  readonly id: number
  readonly size: number
}

const backUp = async (target: LoadTarget): Promise<BackupAnswer> =>
  (await call<BackupAnswer>(target, '/api/admin/backups', { method: 'POST', body: {} })).data

const restore = (target: LoadTarget, id: number, dryRun: boolean) =>
  call<unknown>(target, `/api/admin/backups/${id}/restore`, { method: 'POST', body: { dryRun } })

async function timed<T>(work: () => Promise<T>): Promise<{ result: T; seconds: number }> {
  const startedAt = performance.now()
  const result = await work()
  return { result, seconds: (performance.now() - startedAt) / 1000 }
}

function readOptions() {
  const { values } = parseArgs({
    options: { db: { type: 'string', default: 'sqlite' }, quick: { type: 'boolean', default: false } },
  })
  return { database: readDatabase(values.db), ...(values.quick ? quick : thorough) }
}

async function measure(
  { service, target, socket }: { service: ServerProcess; target: LoadTarget; socket: string },
  print: (line: string) => void,
): Promise<void> {
  const { load, name: loader } = await findLoader()
  print(`memory before: ${mb(await service.readRssMb())}; ${loader}`)
  await load(target, reads)
  await readLoopDelay(socket)
  const idle = await load(target, reads)
  print(
    `list reads alone: ${idle.requestsPerSecond.toFixed(0)}/s, loop ${delays(await readLoopDelay(socket))}`,
  )

  const made = await timed(() => backUp(target))
  print(`backup alone: ${made.seconds.toFixed(1)} s, ${mb(made.result.size / 2 ** 20)}`)
  await readLoopDelay(socket)
  const backUpAndDelete = async () => {
    const { id } = await backUp(target)
    await call(target, `/api/admin/backups/${id}`, { method: 'DELETE' })
  }
  const { result: busy, count } = await whileRepeating(backUpAndDelete, () => load(target, reads))
  const share = ((busy.requestsPerSecond / idle.requestsPerSecond) * 100).toFixed(0)
  print(
    `list reads while backups are made: ${busy.requestsPerSecond.toFixed(0)}/s, ${share} % of alone (wanted 60), p99 ${ms(busy.p99Ms)} (${count} backups)`,
  )
  print(`loop meanwhile: ${delays(await readLoopDelay(socket))} (wanted p99 < 50 ms)`)
  print(`most resident: ${mb(await readPeakRssMb(service))}`)

  const dry = await timed(() => restore(target, made.result.id, true))
  print(`dry run: ${dry.seconds.toFixed(1)} s, loop ${delays(await readLoopDelay(socket))}`)
  const restored = await timed(() => restore(target, made.result.id, false))
  print(`restore: ${restored.seconds.toFixed(1)} s, loop ${delays(await readLoopDelay(socket))}`)
  print(`most resident: ${mb(await readPeakRssMb(service))}`)
}

async function main(): Promise<void> {
  const { database: dialect, articles, mediaMb } = readOptions()
  const { node, processor, cores, load } = describeMachine()
  console.log(`Node ${node}, ${cores} × ${processor}, load ${load.toFixed(1)} before the run`)
  console.log(`${dialect}, ${articles} articles, ${mediaMb} MB of media`)
  const cleanup = createCleanup()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void cleanup.run().finally(() => process.exit(1)))
  }
  try {
    const folder = await createFolder(cleanup)
    const database = await createDatabase(dialect, folder)
    cleanup.add(database.drop)
    const socket = join(folder, 'loop.sock')
    const service = await startService({
      databaseUrl: database.url,
      schemasFolder,
      folder,
      nodeOptions: ['--import', loopDelayPreload],
      environment: { BENCH_LOOP_SOCKET: socket },
    })
    cleanup.add(service.stop)
    const target = { url: service.url, token: await createToken(service, scopes) }
    await fillService(target, articles)
    for (let number = 0; number < mediaMb / fileMb; number++)
      await upload(target, randomBytes(fileMb * 2 ** 19).toString('hex'), `file-${number}.txt`)
    await sleep(settleMs)
    await measure({ service, target, socket }, (line) => console.log(line))
  } finally {
    await cleanup.run()
  }
}

main().catch((error: Error) => {
  console.error(error.message)
  process.exitCode = 1
})
