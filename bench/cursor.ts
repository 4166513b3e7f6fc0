import { call } from './client.ts'
import type { LoadTarget } from './load.ts'
import { median } from './throughput.ts'

const pageSize = 25
const walkSize = 100
const depth = 0.9
const measurements = 200
const sorts = ['id', 'rank:desc']

/** Milliseconds of a page of 25, median. */
export interface CursorResult {
  readonly sort: string
  readonly firstMs: number
  /** At 90 % of the list. */
  readonly deepMs: number
  /** Deep to first: 1 where the depth costs nothing. */
  readonly ratio: number
}

const pagePath = (sort: string, cursor: string, limit: number): string =>
  `/api/content/article?sort=${sort}&limit=${limit}&cursor=${encodeURIComponent(cursor)}`

/** Follows the cursors to the page that starts at 90 % of `rows`. */
async function walk(target: LoadTarget, sort: string, rows: number): Promise<string> {
  let cursor = ''
  for (let seen = 0; seen < rows * depth; seen += walkSize) {
    const { pagination } = await call(target, pagePath(sort, cursor, walkSize))
    if (!pagination?.nextCursor) break
    cursor = pagination.nextCursor
  }
  return cursor
}

async function timePage(target: LoadTarget, path: string): Promise<number> {
  const startedAt = performance.now()
  await call(target, path)
  return performance.now() - startedAt
}

async function measureSort(target: LoadTarget, sort: string, rows: number): Promise<CursorResult> {
  const firstPath = pagePath(sort, '', pageSize)
  const deepPath = pagePath(sort, await walk(target, sort, rows), pageSize)
  const first: number[] = []
  const deep: number[] = []
  for (let measurement = 0; measurement < measurements; measurement++) {
    first.push(await timePage(target, firstPath))
    deep.push(await timePage(target, deepPath))
  }
  return { sort, firstMs: median(first), deepMs: median(deep), ratio: median(deep) / median(first) }
}

/** Reads the first page and one deep in the list in turn, by id and by an attribute with ties. */
export async function measureCursors(target: LoadTarget, rows: number): Promise<CursorResult[]> {
  const results: CursorResult[] = []
  for (const sort of sorts) results.push(await measureSort(target, sort, rows))
  return results
}
