import { call } from './client.ts'
import { rankCount } from './data.ts'
import type { LoadTarget } from './load.ts'
import { median } from './throughput.ts'

const pageSize = 25
const depth = 0.9
const mostMeasurements = 200
const fewestMeasurements = 3
const mostMsPerSort = 10_000

/** Milliseconds of a page of 25, median. */
export interface CursorResult {
  readonly sort: string
  readonly firstMs: number
  /** The page at 90 % of the list. */
  readonly deepMs: number
  /** The deep page relative to the first one: 1 if depth costs nothing. */
  readonly ratio: number
}

interface Sort {
  readonly sort: string
  /** A filter whose first match is at 90 % of the unfiltered list. */
  jump(rows: number): string
}

const sorts: readonly Sort[] = [
  { sort: 'id', jump: (rows) => `filters[id][$gte]=${Math.floor(rows * depth)}` },
  { sort: 'rank:desc', jump: () => `filters[rank][$lte]=${Math.floor(rankCount * (1 - depth))}` },
]

const pagePath = (sort: string, cursor: string): string =>
  `/api/content/article?sort=${sort}&limit=${pageSize}&cursor=${encodeURIComponent(cursor)}`

/** The cursor of a page deep in the list; following all cursors up to it would take thousands of requests. */
async function findDeepCursor(target: LoadTarget, { sort, jump }: Sort, rows: number): Promise<string> {
  const { pagination } = await call(target, `${pagePath(sort, '')}&${jump(rows)}`)
  if (!pagination?.nextCursor) throw new Error(`the list by ${sort} is too short to have a page deep in it`)
  return pagination.nextCursor
}

async function timePage(target: LoadTarget, path: string): Promise<number> {
  const startedAt = performance.now()
  await call(target, path)
  return performance.now() - startedAt
}

async function measureSort(target: LoadTarget, sort: Sort, rows: number): Promise<CursorResult> {
  const firstPath = pagePath(sort.sort, '')
  const deepPath = pagePath(sort.sort, await findDeepCursor(target, sort, rows))
  const first: number[] = []
  const deep: number[] = []
  const deadline = performance.now() + mostMsPerSort
  while (first.length < mostMeasurements) {
    if (first.length >= fewestMeasurements && performance.now() > deadline) break
    first.push(await timePage(target, firstPath))
    deep.push(await timePage(target, deepPath))
  }
  return {
    sort: sort.sort,
    firstMs: median(first),
    deepMs: median(deep),
    ratio: median(deep) / median(first),
  }
}

/** Reads the first page and one deep in the list in turn, by id and by an attribute with ties. */
export async function measureCursors(target: LoadTarget, rows: number): Promise<CursorResult[]> {
  const results: CursorResult[] = []
  for (const sort of sorts) results.push(await measureSort(target, sort, rows))
  return results
}
