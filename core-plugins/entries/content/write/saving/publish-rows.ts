import type { Transaction } from '../../../../foundation/database/database.ts'
import { AppError } from '../../../../foundation/http/http.ts'
import { versionColumn } from '../../entry/version.ts'
import type { WriteAnnotations } from '../../write-annotation.ts'
import type { StoredEntry } from '../../write-context.ts'
import { type AheadRow, aheadRow } from '../ahead-row.ts'
import type { Write } from '../contexts.ts'
import { isPublishedAt, withTheirDrafts } from '../stored-entries.ts'
import type { WritableType, WriteDeps } from '../write-deps.ts'
import { failedAlike, NotReached, type RowFailure } from '../write-errors.ts'
import { changeTogether } from '../write-together.ts'

/** A saved entry whose publication is to change. */
export interface PublishedRow {
  /** Its position among the saved entries. */
  readonly index: number
  readonly id: number
  /** See `EntryToSave`. */
  readonly published: true | string | null
  readonly annotations: WriteAnnotations
  /** Set for a new entry. */
  readonly ahead: AheadRow | undefined
}

export interface PublishOptions {
  readonly deps: WriteDeps
  readonly type: WritableType
  readonly write: Write & { readonly now: string }
  /** Collects the errors of entries. */
  readonly failures: RowFailure[]
}

/** Publishes and unpublishes entries that were saved in this transaction; returns the ids of those that changed. */
export async function publishRows(
  { deps, type, write, failures }: PublishOptions,
  rows: readonly PublishedRow[],
): Promise<ReadonlySet<number>> {
  if (rows.length === 0) return new Set()
  const byId = new Map(rows.map((row) => [row.id, row]))
  const all = [...newRows(rows), ...(await loadOthers(type, rows, write.tx))]
  const due = all.filter((each) => isDue(each, byId.get(each.row.id)?.published ?? null, write.now))
  for (const operation of ['publish', 'unpublish'] as const) {
    const changes = due
      .filter(({ row }) => (byId.get(row.id)?.published === null) === (operation === 'unpublish'))
      .map((each) => {
        const { published = null, annotations, ahead } = byId.get(each.row.id) ?? {}
        return {
          stored: each,
          data: timesOf(published),
          annotations: ahead ? annotations?.with(aheadRow, ahead) : annotations,
        }
      })
    if (changes.length === 0) continue
    const explain: typeof failedAlike = (name, failed) => {
      const refused = failed.filter(({ reason }) => reason instanceof AppError && reason.status < 500)
      for (const { id, reason } of refused) {
        failures.push({ index: byId.get(id)?.index ?? 0, error: reason as AppError })
      }
      return refused.length > 0 ? new NotReached() : failedAlike(name, failed)
    }
    try {
      await changeTogether(deps, type, changes, { ...write, operation, explain })
    } catch (error) {
      if (!(error instanceof NotReached)) throw error
    }
  }
  if (failures.length === 0) await takeBack(type, rows, write.tx)
  return new Set(due.map(({ row }) => row.id))
}

/** New rows need no lock, since no other transaction sees them, and they have no drafts. */
function newRows(rows: readonly PublishedRow[]): StoredEntry[] {
  return rows.flatMap(({ ahead }) =>
    ahead?.inserted ? [{ row: ahead.inserted.entry, draft: undefined }] : [],
  )
}

async function loadOthers(
  type: WritableType,
  rows: readonly PublishedRow[],
  tx: Transaction,
): Promise<StoredEntry[]> {
  const ids = rows.filter(({ ahead }) => ahead?.inserted === undefined).map(({ id }) => id)
  return ids.length === 0 ? [] : withTheirDrafts(type, await type.store.loadMany(ids, tx), tx)
}

/** If a stage silently skips a publication, its row is set back to the draft. */
async function takeBack({ store }: WritableType, rows: readonly PublishedRow[], tx: Transaction) {
  for (const { ahead } of rows) {
    if (ahead?.inserted === undefined || ahead.isReached) continue
    const { entry } = ahead.inserted
    const { published_at, [versionColumn]: updatedAt } = entry
    await store.update(entry, { columns: { published_at, [versionColumn]: updatedAt } }, tx)
  }
}

/** Whether the publication would change anything; others are skipped. */
export function isDue(
  { row, draft }: StoredEntry,
  published: PublishedRow['published'],
  now: string,
): boolean {
  if (published === null) return row.published_at !== null
  if (draft !== undefined) return true
  return published === true ? !isPublishedAt(row, now) : row.published_at !== published
}

const timesOf = (published: PublishedRow['published']) =>
  typeof published === 'string' ? { publishedAt: published } : {}
