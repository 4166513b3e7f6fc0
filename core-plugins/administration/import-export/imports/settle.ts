import type { ContentType } from '../../../foundation/schemas/schemas.ts'
import { Circles } from './circles.ts'
import type { WaitingStore } from './import-store.ts'
import { type Row, type SourceRow, withoutMissing } from './prepare-rows.ts'
import { isWaiting, problemOf, refused } from './rows.ts'
import type { WaitingRow } from './tables.ts'

/** What the second pass of an import works with. */
export interface SettleParts {
  readonly importId: number
  readonly waiting: WaitingStore
  open(type: string): Promise<ContentType>
  prepare(type: ContentType, rows: readonly SourceRow[]): Promise<readonly Row[]>
  commit(type: ContentType, rows: readonly Row[]): Promise<void>
}

const pageSize = 500

/**
 * Saves the waiting records. Records that refer to each other in a circle are stored without the attributes that close it, which
 * are added once all of them exist.
 */
export async function settleWaiting(parts: SettleParts): Promise<void> {
  await saveResolved(parts)
  const circles = new Circles()
  await eachPage(parts, async (_, rows) => {
    for (const { waitingId, entryId, keys, missing } of rows) {
      if (waitingId === undefined || entryId !== undefined) continue
      circles.add({ id: waitingId, keys, needs: missing.map(({ text }) => text) })
    }
  })
  const lost = circles.lost()
  await eachPage(parts, async (type, rows) => {
    const open = rows.filter(({ entryId }) => entryId === undefined)
    await parts.commit(
      type,
      open.flatMap((row) => openCircle(row, lost)),
    )
  })
  await saveResolved(parts)
  await eachPage(parts, (type, rows) => parts.commit(type, rows.map(withMissing)))
}

/** Repeats until no further record can be resolved. */
async function saveResolved(parts: SettleParts): Promise<void> {
  for (let isMoving = true; isMoving; ) {
    isMoving = false
    await eachPage(parts, async (type, rows) => {
      const settled = rows.filter((row) => !isWaiting(row))
      if (settled.length > 0) isMoving = true
      await parts.commit(type, settled)
    })
  }
}

/** A version of an entry in a circle continues to wait until that entry is saved. */
function openCircle(row: Row, lost: ReadonlySet<number>): Row[] {
  if (!isWaiting(row)) return [row]
  if (lost.has(row.waitingId ?? 0)) return [withMissing(row)]
  const partial = withoutMissing(row)
  return partial === undefined ? [] : [{ ...partial, isPartial: true }]
}

function withMissing(row: Row): Row {
  return refused(row, row.missing.map(problemOf))
}

type UsePage = (type: ContentType, rows: readonly Row[]) => Promise<void>

/** Prepares the waiting records page by page, grouped by type. */
async function eachPage(parts: SettleParts, use: UsePage): Promise<void> {
  const { importId, waiting } = parts
  for (let last = 0; ; ) {
    const page = await waiting.after(importId, last, pageSize)
    for (const group of groupsOf(page)) {
      const type = await parts.open(group[0]?.type ?? '')
      await use(type, await parts.prepare(type, group.map(sourceOf)))
    }
    if (page.length < pageSize) return
    last = page.at(-1)?.id ?? 0
  }
}

function groupsOf(rows: readonly WaitingRow[]): WaitingRow[][] {
  const groups: WaitingRow[][] = []
  for (const row of rows) {
    const group = groups.at(-1)
    if (group?.[0]?.type === row.type) group.push(row)
    else groups.push([row])
  }
  return groups
}

function sourceOf({ id, type, line, data, entryId }: WaitingRow): SourceRow {
  return { type, line, data: JSON.parse(data), waitingId: id, entryId: entryId ?? undefined }
}
