import type { Transaction } from '../../../../foundation/database/database.ts'
import { AppError, type ErrorDetail } from '../../../../foundation/http/http.ts'
import type { Entry } from '../../entry/entry.ts'
import type { WriteCheck } from '../../services/content-service.ts'
import type { EntryWriteRequest, SingleWriteRequest, WriteRequest } from '../../write-request.ts'
import { assertComplete } from '../assert-complete.ts'
import { withItsDraft } from '../stored-entries.ts'
import { inTransaction } from '../transaction.ts'
import type { WriteDeps } from '../write-deps.ts'
import { createEntry } from './create.ts'
import { putSingle } from './single.ts'
import { updateEntry } from './update.ts'

/** See `ContentWrites.checkCreate`. */
export function checkCreate(
  deps: WriteDeps,
  request: WriteRequest | SingleWriteRequest,
  data: unknown,
): Promise<WriteCheck> {
  const isSingle = deps.typeNamed(request.type).model.type.kind === 'singleType'
  return checkWrite(deps, request, async (tx) =>
    isSingle
      ? (await putSingle(deps, { ...request, tx }, data)).entry
      : createEntry(deps, { ...request, tx }, data),
  )
}

/** See `ContentWrites.checkUpdate`. */
export function checkUpdate(
  deps: WriteDeps,
  request: EntryWriteRequest,
  { data, isPublishing = false }: { readonly data: unknown; readonly isPublishing?: boolean | undefined },
): Promise<WriteCheck> {
  return checkWrite(deps, request, async (tx) => {
    const entry = await updateEntry(deps, { ...request, tx }, data)
    if (isPublishing) await assertPublishable(deps, request, tx)
    return entry
  })
}

/** @throws AppError 400 with all that the entry lacks to be public, as it is after the write */
async function assertPublishable(deps: WriteDeps, { type: name, id }: EntryWriteRequest, tx: Transaction) {
  const type = deps.typeNamed(name)
  const row = await type.store.load(id, tx)
  if (row !== undefined) assertComplete(type, await withItsDraft(type, row, tx), new Date().toISOString())
}

/** Ends the transaction of a write that the database has accepted, so that nothing of it stays. */
class Acceptable extends Error {}

/** Carries out a write and undoes it: only the write itself knows everything that can refuse it. */
async function checkWrite(
  deps: WriteDeps,
  request: WriteRequest,
  write: (tx: Transaction) => Promise<Entry>,
): Promise<WriteCheck> {
  const { store } = deps.typeNamed(request.type)
  try {
    await inTransaction(
      deps,
      request,
      async (tx) => {
        const { id } = await write(tx)
        // After the follow-up work of plugins, which may refuse the write too.
        tx.beforeCommit(async () => {
          // A query sends the links, which otherwise wait for the commit.
          await store.load(id, tx)
          throw new Acceptable()
        })
      },
      { isBrief: false },
    )
  } catch (error) {
    if (error instanceof Acceptable) return { valid: true }
    const details = problemsIn(error)
    if (details === undefined) throw error
    return { valid: false, details }
  }
  throw new Error(`the check of ${request.type} was not undone`)
}

/** The problems that a form can show beside its fields; undefined for any other error. */
function problemsIn(error: unknown): readonly ErrorDetail[] | undefined {
  if (!(error instanceof AppError)) return undefined
  return error.code === 'VALIDATION_ERROR' || error.code === 'CONFLICT' ? error.details : undefined
}
