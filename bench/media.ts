import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { createCleanup } from './cleanup.ts'
import { mapConcurrently } from './client.ts'
import { createDatabase } from './database.ts'
import { fillService } from './fill.ts'
import { findLoader } from './load.ts'
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
import { createToken, startService } from './service.ts'
import { createFolder } from './workspace.ts'

const schemasFolder = fileURLToPath(new URL('./schemas/', import.meta.url))

const articles = 1_000
const reads = {
  requests: [{ method: 'GET', path: '/api/content/article?limit=20' } as const],
  connections: 16,
  seconds: 5,
}
const smallImages = 100
const uploadsAtOnce = 8
const settleMs = 2_000

type Picture = Uint8Array<ArrayBuffer>

/** An image of noise, the hardest kind to encode and decode. */
async function createImage(width: number, height: number, format: 'jpeg' | 'png'): Promise<Picture> {
  const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const
  const create = { width, height, channels: 3, background: 'white', noise } as const
  return new Uint8Array(await sharp({ create }).toFormat(format).toBuffer())
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

async function main(): Promise<void> {
  const cleanup = createCleanup()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void cleanup.run().finally(() => process.exit(1)))
  }
  try {
    const folder = await createFolder(cleanup)
    const database = await createDatabase('sqlite', folder)
    cleanup.add(database.drop)
    const socket = join(folder, 'loop.sock')
    const nodeOptions = ['--import', loopDelayPreload]
    const environment = { BENCH_LOOP_SOCKET: socket }
    const service = await startService({
      databaseUrl: database.url,
      schemasFolder,
      folder,
      nodeOptions,
      environment,
    })
    cleanup.add(service.stop)
    const target = { url: service.url, token: await createToken(service) }
    await fillService(target, articles)
    const { load, name: loader } = await findLoader()
    const large = await createImage(7_300, 5_500, 'jpeg')
    const small = await createImage(640, 480, 'png')
    const lines = [describeLine(loader)]

    const idleRss = await service.readRssMb()
    lines.push(`resident before the first upload: ${mb(idleRss)}`)
    await load(target, reads)
    await readLoopDelay(socket)
    const idle = await load(target, reads)
    lines.push(
      `list reads alone: ${idle.requestsPerSecond.toFixed(0)}/s, loop ${delays(await readLoopDelay(socket))}`,
    )

    lines.push(
      `40-megapixel JPEG (${mb(large.length / 2 ** 20)}), first: ${ms(await time(() => upload(target, large, 'a.jpg')))}`,
    )
    lines.push(`40-megapixel JPEG, second: ${ms(await time(() => upload(target, large, 'a.jpg')))}`)
    const numbers = Array.from({ length: smallImages }, (_, index) => index)
    const smallMs = await time(() =>
      mapConcurrently(numbers, uploadsAtOnce, (index) => upload(target, small, `${index}.png`)),
    )
    lines.push(`${smallImages} PNGs of 640 × 480, ${uploadsAtOnce} at a time: ${ms(smallMs)}`)

    await sleep(settleMs)
    await readLoopDelay(socket)
    const { result: busy, count: uploads } = await whileRepeating(
      () => upload(target, large, 'large.jpg'),
      () => load(target, reads),
    )
    const share = ((busy.requestsPerSecond / idle.requestsPerSecond) * 100).toFixed(0)
    lines.push(
      `list reads while thumbnails run: ${busy.requestsPerSecond.toFixed(0)}/s, ${share} % of alone, p99 ${ms(busy.p99Ms)} (${uploads} large images)`,
    )
    lines.push(`loop meanwhile: ${delays(await readLoopDelay(socket))}`)
    lines.push(
      `most resident: ${mb(await readPeakRssMb(service))}, at the end ${mb(await service.readRssMb())}`,
    )
    console.log(lines.join('\n'))
  } finally {
    await cleanup.run()
  }
}

function describeLine(loader: string): string {
  const { node, processor, cores, load } = describeMachine()
  return `Node ${node}, ${cores} × ${processor}, load ${load.toFixed(1)} before the run; SQLite, ${loader}`
}

main().catch((error: Error) => {
  console.error(error.message)
  process.exitCode = 1
})
