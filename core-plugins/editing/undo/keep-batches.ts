import { randomUUID } from 'node:crypto'
import type { Auth } from '../../accounts/auth/auth.ts'
import {
  annotate,
  type BatchRecorder,
  type BulkWrite,
  type RecordedBatch,
  type WriteAnnotation,
  type WriteStage,
  writeAnnotation,
} from '../../entries/content/content.ts'
import { afterWork, untilCommit } from '../../foundation/database/database.ts'
import type { Principal } from '../../foundation/http/http.ts'
import type { ContentType, Schemas } from '../../foundation/schemas/schemas.ts'
import type { UnpublishTimes } from '../unpublish-times/unpublish-times.ts'
import type { BatchStore } from './batch-store.ts'
import type { BatchRow } from './tables.ts'
import { type Undo, undoOf } from './undo-write.ts'

/** How long a batch can be undone. */
export const undoableForMs = 10 * 60_000

/** The limit of a batch's stored entries; larger batches cannot be undone. */
const maxBytes = 8 * 1024 * 1024

/** A bulk write in progress. */
interface RunningBatch {
  readonly row: BatchRow
  isKept: boolean
}

const runningBatch: WriteAnnotation<RunningBatch> = writeAnnotation('batches.batch')

/** One of its entries. */
interface ChangedEntry {
  readonly running: RunningBatch
  readonly type: ContentType
  readonly entryId: number
  undo: Undo
}

/** The actor's name, such as `admin:7`; undefined for callers other than admin users and tokens. */
export function actorOf(principal: Principal): string | undefined {
  return principal.kind === 'admin' || principal.kind === 'token'
    ? `${principal.kind}:${principal.id}`
    : undefined
}

/** Records bulk writes that the caller could undo: only administrators can restore entries from a trash. */
export function createBatchRecorder(auth: Auth, { types }: Schemas): BatchRecorder {
  const mayUndo = ({ type, operation, principal }: BulkWrite) =>
    operation !== 'delete' ||
    (types.get(type)?.options.softDelete === true && auth.isAdministrator(principal))
  return (write) => {
    const actor = actorOf(write.principal)
    if (actor === undefined || !mayUndo(write)) return undefined
    const { type, operation } = write
    const now = Date.now()
    const createdAt = new Date(now).toISOString()
    const expiresAt = new Date(now + undoableForMs).toISOString()
    const row = { batch: randomUUID(), type, operation, actor, createdAt, expiresAt }
    const running: RunningBatch = { row, isKept: false }
    const kept: RecordedBatch = { id: row.batch, expires_at: expiresAt }
    return {
      annotations: annotate(runningBatch, running),
      answer: () => (running.isKept ? kept : null),
    }
  }
}

/** Stores the changes of bulk writes in the same transactions. */
export function keepBatches(store: BatchStore, times: UnpublishTimes | undefined): WriteStage {
  // Before the commit, which removes the times.
  const noteTimes = afterWork<ChangedEntry>(async (changed, tx) => {
    const ids = changed.map(({ entryId }) => entryId)
    const found = await times?.find(changed[0]?.type.name ?? '', ids, tx)
    for (const entry of changed) {
      const unpublishAt = found?.get(entry.entryId)
      if (unpublishAt !== undefined) entry.undo = { ...entry.undo, unpublishAt }
    }
  })
  const note = untilCommit<ChangedEntry>(async (changed, tx) => {
    const [first] = changed
    if (first === undefined) return
    const { running, type } = first
    running.isKept = false
    const undos = changed.map(({ undo }) => JSON.stringify(undo))
    if (undos.reduce((bytes, undo) => bytes + Buffer.byteLength(undo), 0) > maxBytes) return
    const ids = changed.map(({ entryId }) => entryId)
    const versions = await store.versions(type, ids, tx)
    const entries = changed.flatMap(({ entryId }, index) => {
      const found = versions.get(entryId)
      return found === undefined ? [] : [{ entryId, undo: undos[index] ?? '', ...found }]
    })
    await store.add(running.row, entries, tx)
    running.isKept = true
  })
  return {
    name: 'batches: keep',
    matches: ({ type, operation }) => !type.system && operation !== 'create',
    async run(context, next) {
      const running = context.annotations.get(runningBatch)
      const entry = await next()
      const undo = running && undoOf(context, entry)
      if (running === undefined || undo === undefined) return entry
      const { tx, type, operation } = context
      const changed: ChangedEntry = { running, type, entryId: entry.id, undo }
      note(tx, changed)
      if (times !== undefined && (operation === 'publish' || operation === 'unpublish'))
        noteTimes(tx, changed)
      return entry
    },
  }
}
