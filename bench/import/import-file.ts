import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { LoadTarget } from '../load.ts'
import type { ServerProcess } from '../server-process.ts'
import type { Rate } from './floor.ts'

const pollMs = 50

interface Job {
  readonly status: string
  readonly error: string | null
  readonly result: { readonly created: number; readonly problems: readonly unknown[] } | null
}

export interface ImportedFile {
  readonly path: string
  readonly records: number
}

/** Sends a file of articles, and measures the time until they are stored. */
export async function importFile(
  service: ServerProcess,
  target: LoadTarget,
  { path, records }: ImportedFile,
): Promise<Rate> {
  const [startedAt, usedBefore] = [performance.now(), await service.readCpuMs()]
  const response = await fetch(`${target.url}/api/content/article/import`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${target.token}`,
      'content-type': 'application/x-ndjson',
      'content-length': String((await stat(path)).size),
    },
    body: Readable.toWeb(createReadStream(path)) as ReadableStream<Uint8Array>,
    duplex: 'half',
  } as RequestInit)
  const text = await response.text()
  if (!response.ok) throw new Error(`the import was answered ${response.status}: ${text}`)
  const { data } = JSON.parse(text) as { data: { job?: number; created?: number } }
  const created = data.job === undefined ? data.created : await untilDone(target, data.job)
  if (created !== records) throw new Error(`${created} of ${records} records were stored: ${text}`)
  const ms = performance.now() - startedAt
  const usedMs = ((await service.readCpuMs()) ?? Number.NaN) - (usedBefore ?? Number.NaN)
  return {
    perSecond: (records / ms) * 1000,
    cpuUs: Number.isNaN(usedMs) ? undefined : (usedMs / records) * 1000,
  }
}

async function untilDone(target: LoadTarget, id: number): Promise<number> {
  for (;;) {
    await sleep(pollMs)
    const { status, result, error } = (await readJob(target, id)) ?? {}
    if (status === 'completed' && result) {
      if (result.problems.length > 0) throw new Error(JSON.stringify(result.problems.slice(0, 3)))
      return result.created
    }
    if (status === 'failed' || status === 'cancelled') throw new Error(`${status}: ${error}`)
  }
}

/** Undefined if the request was refused, which happens while the service imports on a busy machine. */
async function readJob(target: LoadTarget, id: number): Promise<Job | undefined> {
  const response = await fetch(`${target.url}/api/admin/jobs/${id}`, {
    headers: { authorization: `Bearer ${target.token}` },
  })
  const text = await response.text()
  if (response.status === 503) return undefined
  if (!response.ok) throw new Error(`the job was answered ${response.status}: ${text}`)
  return (JSON.parse(text) as { data: Job }).data
}
