import { call } from '../client.ts'
import type { LoadTarget } from '../load.ts'

export interface ExportResult {
  readonly mbPerSecond: number
  readonly recordsPerSecond: number
  /** The rate of reading the same entries as lists, page by page. */
  readonly listedPerSecond: number
}

/** Exports all articles, and also reads them page by page for comparison. */
export async function measureExport(target: LoadTarget): Promise<ExportResult> {
  const listed = await timed(() => readLists(target))
  const exported = await timed(() => readExport(target))
  const { bytes, lines } = exported.result
  if (lines !== listed.result) throw new Error(`${lines} were exported, and ${listed.result} listed`)
  return {
    mbPerSecond: bytes / 1e6 / exported.seconds,
    recordsPerSecond: lines / exported.seconds,
    listedPerSecond: listed.result / listed.seconds,
  }
}

async function timed<T>(work: () => Promise<T>): Promise<{ result: T; seconds: number }> {
  const startedAt = performance.now()
  const result = await work()
  return { result, seconds: (performance.now() - startedAt) / 1000 }
}

async function readExport({ url, token }: LoadTarget): Promise<{ bytes: number; lines: number }> {
  const headers = { authorization: `Bearer ${token}` }
  const response = await fetch(`${url}/api/content/article/export`, { headers })
  if (!response.ok || response.body === null) throw new Error(`the export was answered ${response.status}`)
  let [bytes, lines] = [0, 0]
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    bytes += chunk.length
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) lines++
  }
  return { bytes, lines }
}

const pageSize = 100

async function readLists(target: LoadTarget): Promise<number> {
  let [count, cursor] = [0, '']
  for (;;) {
    const path = `/api/content/article?limit=${pageSize}&cursor=${encodeURIComponent(cursor)}`
    const { data, pagination } = await call<unknown[]>(target, path)
    count += data.length
    if (typeof pagination?.nextCursor !== 'string') return count
    cursor = pagination.nextCursor
  }
}
