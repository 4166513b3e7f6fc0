import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import type { LoadTarget } from './load.ts'
import type { ServerProcess } from './server-process.ts'

/** Loaded into a service to watch its event loop; it listens on BENCH_LOOP_SOCKET. */
export const loopDelayPreload = new URL('./loop-delay.mjs', import.meta.url).href

export interface LoopDelay {
  readonly p50Ms: number
  readonly p99Ms: number
  readonly maxMs: number
}

/** The delay of the event loop since the previous call. */
export async function readLoopDelay(path: string): Promise<LoopDelay> {
  const socket = connect(path).setEncoding('utf8')
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  await once(socket, 'end')
  return JSON.parse(text) as LoopDelay
}

/** Undefined if the system does not report it. */
export async function readPeakRssMb(service: ServerProcess): Promise<number | undefined> {
  const status = await readFile(join('/proc', String(service.pid), 'status'), 'utf8').catch(() => '')
  const kilobytes = status.match(/^VmHWM:\s+(\d+)/m)?.[1]
  return kilobytes === undefined ? undefined : Number(kilobytes) / 1024
}

/** Uploads one file. */
export async function upload(
  target: LoadTarget,
  content: string | Uint8Array<ArrayBuffer>,
  name: string,
): Promise<void> {
  const form = new FormData()
  form.append('file', new Blob([content]), name)
  const headers = { authorization: `Bearer ${target.token}` }
  const response = await fetch(`${target.url}/api/upload`, { method: 'POST', body: form, headers })
  if (response.status !== 201)
    throw new Error(`the upload was answered ${response.status}: ${await response.text()}`)
  await response.arrayBuffer()
}

/** Repeats `task` until `work` is done; returns the result of `work`, and how often `task` ran. */
export async function whileRepeating<T>(task: () => Promise<void>, work: () => Promise<T>) {
  const state = { isDone: false }
  const repeating = (async () => {
    let count = 0
    while (!state.isDone) {
      await task()
      count++
    }
    return count
  })()
  const result = await work()
  state.isDone = true
  return { result, count: await repeating }
}

/** Formats milliseconds for printing. */
export const ms = (value: number) => `${value.toFixed(value < 10 ? 1 : 0)} ms`
export const mb = (value: number | undefined) => (value === undefined ? 'unknown' : `${value.toFixed(0)} MB`)
export const delays = ({ p50Ms, p99Ms, maxMs }: LoopDelay) =>
  `p50 ${ms(p50Ms)}, p99 ${ms(p99Ms)}, most ${ms(maxMs)}`
