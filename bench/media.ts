import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import sharp from 'sharp'
import { createCleanup } from './cleanup.ts'
import { mapConcurrently } from './client.ts'
import { createDatabase } from './database.ts'
import { fillService } from './fill.ts'
import { findLoader, type LoadTarget } from './load.ts'
import { describeMachine } from './report.ts'
import type { ServerProcess } from './server-process.ts'
import { createToken, startService } from './service.ts'
import { createFolder } from './workspace.ts'

const schemasFolder = fileURLToPath(new URL('./schemas/', import.meta.url))
const preload = new URL('./loop-delay.mjs', import.meta.url).href

const articles = 1_000
const reads = {
  requests: [{ method: 'GET', path: '/api/content/article?limit=20' } as const],
  connections: 16,
  seconds: 5,
}
const smallImages = 100
const uploadsAtOnce = 8
const settleMs = 2_000

interface LoopDelay {
  readonly p50Ms: number
  readonly p99Ms: number
  readonly maxMs: number
}

type Picture = Uint8Array<ArrayBuffer>

/** Noise, which is the most work for everything that encodes or decodes. */
async function createImage(width: number, height: number, format: 'jpeg' | 'png'): Promise<Picture> {
  const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const
  const create = { width, height, channels: 3, background: 'white', noise } as const
  return new Uint8Array(await sharp({ create }).toFormat(format).toBuffer())
}

async function upload(target: LoadTarget, picture: Picture, name: string): Promise<void> {
  const form = new FormData()
  form.append('file', new Blob([picture]), name)
  const headers = { authorization: `Bearer ${target.token}` }
  const response = await fetch(`${target.url}/api/upload`, { method: 'POST', body: form, headers })
  if (response.status !== 201)
    throw new Error(`the upload was answered ${response.status}: ${await response.text()}`)
  await response.arrayBuffer()
}

async function readLoopDelay(path: string): Promise<LoopDelay> {
  const socket = connect(path).setEncoding('utf8')
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  await once(socket, 'end')
  return JSON.parse(text) as LoopDelay
}

/** Uploads one picture after another until `work` is done; answers how many. */
async function whileUploading<T>(target: LoadTarget, picture: Picture, work: () => Promise<T>) {
  const state = { isDone: false }
  const uploading = (async () => {
    let count = 0
    while (!state.isDone) {
      await upload(target, picture, 'large.jpg')
      count++
    }
    return count
  })()
  const result = await work()
  state.isDone = true
  return { result, uploads: await uploading }
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

async function readPeakRssMb(service: ServerProcess): Promise<number | undefined> {
  const status = await readFile(`/proc/${service.pid}/status`, 'utf8').catch(() => '')
  const kilobytes = status.match(/^VmHWM:\s+(\d+)/m)?.[1]
  return kilobytes === undefined ? undefined : Number(kilobytes) / 1024
}

const ms = (value: number) => `${value.toFixed(value < 10 ? 1 : 0)} ms`
const mb = (value: number | undefined) => (value === undefined ? 'unknown' : `${value.toFixed(0)} MB`)
const delays = ({ p50Ms, p99Ms, maxMs }: LoopDelay) => `p50 ${ms(p50Ms)}, p99 ${ms(p99Ms)}, most ${ms(maxMs)}`

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
    const nodeOptions = ['--import', preload]
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
    const { result: busy, uploads } = await whileUploading(target, large, () => load(target, reads))
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
