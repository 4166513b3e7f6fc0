import { Type } from 'typebox'
import type { Auth } from '../../accounts/auth/auth.ts'
import {
  annotate,
  type Content,
  formerValues,
  type StoredEntries,
  type Trash,
} from '../../entries/content/content.ts'
import type { Database, Transaction } from '../../foundation/database/database.ts'
import {
  AppError,
  type ErrorCode,
  type Principal,
  type RecordOf,
  strict,
} from '../../foundation/http/http.ts'
import type { ContentType, Schemas } from '../../foundation/schemas/schemas.ts'
import type { UnpublishTimes } from '../unpublish-times/unpublish-times.ts'
import type { BatchStore } from './batch-store.ts'
import { actorOf } from './keep-batches.ts'
import type { OwnChanges } from './own-changes.ts'
import { revertEntry } from './revert-entry.ts'
import type { BatchEntryRow, BatchRow } from './tables.ts'
import type { Undo } from './undo-write.ts'

export interface RevertBatchParts {
  readonly auth: Auth
  readonly content: Content
  readonly database: Database
  readonly schemas: Schemas
  readonly store: BatchStore
  readonly ownChanges: OwnChanges
  readonly storedEntries: StoredEntries
  readonly trash: Trash
  /** Undefined if the plugin for unpublish times is off. */
  readonly times: UnpublishTimes | undefined
}

const leftOutSchema = Type.Object(
  {
    id: Type.Integer(),
    // Changed since, gone since, or no longer acceptable.
    reason: Type.Enum(['changed', 'gone', 'refused']),
    // The problems of a refused entry.
    problems: Type.Array(Type.Object({ path: Type.String(), code: Type.String() }, strict)),
  },
  strict,
)

/** Why an entry could not be reverted. */
export type LeftOut = RecordOf<typeof leftOutSchema>

/** The result of undoing a bulk write. */
export const revertedBatchSchema = Type.Object(
  {
    type: Type.String(),
    operation: Type.Enum(['update', 'delete', 'publish', 'unpublish']),
    count: Type.Integer(),
    ids: Type.Array(Type.Integer()),
    leftOut: Type.Array(leftOutSchema),
  },
  strict,
)

export type RevertedBatch = RecordOf<typeof revertedBatchSchema>

export interface RevertRequest {
  readonly batch: string
  readonly principal: Principal
  readonly ip: string
}

/**
 * Undoes a bulk write, each entry separately; may be repeated.
 * @throws AppError 403 without permission to write what is restored; 404, also for batches of other callers
 */
export async function revertBatch(parts: RevertBatchParts, request: RevertRequest): Promise<RevertedBatch> {
  const { store } = parts
  const batch = await openBatch(parts, request)
  const { type, operation } = batch
  const ids: number[] = []
  const leftOut: LeftOut[] = []
  const rows = new Map((await store.entries(batch.batch)).map((row) => [row.entryId, row]))
  for (const id of rows.keys()) {
    const problem = await revertOne(parts, batch, { id, rows }, request)
    if (problem === undefined) ids.push(id)
    else leftOut.push(problem)
  }
  return { type, operation, count: ids.length, ids, leftOut }
}

const actions = { update: 'update', delete: 'delete', publish: 'publish', unpublish: 'publish' } as const

async function openBatch({ auth, store }: RevertBatchParts, request: RevertRequest): Promise<BatchRow> {
  const { principal } = request
  const batch = await store.find(request.batch)
  const isTheirs = batch?.actor === actorOf(principal) || auth.isAdministrator(principal)
  if (batch === undefined || !isTheirs || batch.expiresAt <= new Date().toISOString()) {
    throw new AppError('NOT_FOUND', 'there is no such batch, or its ten minutes are over')
  }
  const { type, operation } = batch
  const mayWrite = auth.mayContent(principal, type, actions[operation])
  if (!mayWrite || (operation === 'delete' && !auth.isAdministrator(principal))) auth.refuse(principal)
  return batch
}

/** Thrown to roll back the transaction of an entry that cannot be reverted. */
class EntryLeftOut extends Error {
  readonly reason: 'changed' | 'gone'

  constructor(reason: 'changed' | 'gone') {
    super(reason)
    this.reason = reason
  }
}

/** The entry to revert, and the batch's rows, updated with versions that only this undo has made. */
interface Reverted {
  readonly id: number
  readonly rows: Map<number, BatchEntryRow>
}

/** Undefined if the entry was restored, by this request or another one. */
async function revertOne(
  parts: RevertBatchParts,
  batch: BatchRow,
  { id, rows }: Reverted,
  { principal, ip }: RevertRequest,
): Promise<LeftOut | undefined> {
  const { content, database, schemas, store, times, trash, ownChanges } = parts
  const row = rows.get(id)
  const type = schemas.types.get(batch.type)
  if (type === undefined || row === undefined) return { id, reason: 'gone', problems: [] }
  let moved: readonly BatchEntryRow[] = []
  try {
    await database.transaction(async (tx) => {
      if (!(await store.takeOut(batch.batch, id, tx))) return
      await assertUnchanged(parts, type, row, tx)
      const annotations = annotate(formerValues, true)
      const request = { type: type.name, id, principal, ip, tx, annotations }
      const changed = ownChanges.follow(tx, type.name)
      await revertEntry({ content, trash, times }, batch.operation, request, JSON.parse(row.undo) as Undo)
      tx.withCommit(async () => {
        moved = await moveOn(parts, type, { id, rows }, { changed, tx })
      })
    })
    for (const each of moved) rows.set(each.entryId, each)
    return undefined
  } catch (error) {
    return leftOutBy(error, id)
  }
}

/** Records the new versions of other entries of the batch that have changed only through the undo of this one. */
async function moveOn(
  { store }: RevertBatchParts,
  type: ContentType,
  { id, rows }: Reverted,
  { changed, tx }: { readonly changed: ReadonlyMap<number, string>; readonly tx: Transaction },
): Promise<readonly BatchEntryRow[]> {
  const others = [...changed].flatMap(([other, version]) => {
    const row = rows.get(other)
    return row === undefined || other === id || row.version !== version ? [] : [row]
  })
  if (others.length === 0) return []
  const versions = await store.versions(
    type,
    others.map(({ entryId }) => entryId),
    tx,
  )
  const moved = others.flatMap((row) => {
    const now = versions.get(row.entryId)
    return now === undefined || now.draftVersion !== row.draftVersion
      ? []
      : [{ ...row, version: now.version }]
  })
  for (const { batch, entryId, version } of moved) await store.moveOn(batch, entryId, version, tx)
  return moved
}

async function assertUnchanged(
  { store, storedEntries }: RevertBatchParts,
  type: ContentType,
  { entryId, version, draftVersion }: BatchEntryRow,
  tx: Transaction,
): Promise<void> {
  // Locks the entry; an entry in the trash is locked by its restore.
  await storedEntries.lock({ type: type.name, principal: itself, tx }, [entryId])
  const found = (await store.versions(type, [entryId], tx)).get(entryId)
  if (found === undefined) throw new EntryLeftOut('gone')
  const isSame = found.version === version && found.draftVersion === draftVersion
  if (!isSame) throw new EntryLeftOut('changed')
}

/** Locks on behalf of the service, which sees everything. */
const itself: Principal = { kind: 'token', id: 0, name: 'undo', scopes: new Set(['admin:*']) }

/** Errors that mean that an entry cannot return to its former state, or that the caller may not restore it. */
const refusals: readonly ErrorCode[] = [
  'VALIDATION_ERROR',
  'FORBIDDEN',
  'CONFLICT',
  'RESTRICTED',
  'INVALID_TRANSITION',
  'NOT_PUBLISHABLE',
]

/** The reason to leave the entry out. @throws errors that are not about the entry */
function leftOutBy(error: unknown, id: number): LeftOut {
  if (error instanceof EntryLeftOut) return { id, reason: error.reason, problems: [] }
  if (!(error instanceof AppError)) throw error
  if (error.code === 'NOT_FOUND') return { id, reason: 'gone', problems: [] }
  if (!refusals.includes(error.code)) throw error
  // Messages may name entries that are hidden from the caller.
  const problems = (error.details ?? []).map(({ path, code }) => ({ path, code }))
  return { id, reason: 'refused', problems }
}
