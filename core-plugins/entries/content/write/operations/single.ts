import type { Transaction } from '../../../../foundation/database/database.ts'
import { AppError } from '../../../../foundation/http/http.ts'
import type { Entry } from '../../entry/entry.ts'
import type { SingleWriteRequest } from '../../write-request.ts'
import { createContext, deleteContext } from '../contexts.ts'
import { runWrite } from '../run-write.ts'
import { openEntry } from '../stored-entries.ts'
import { inTransaction } from '../transaction.ts'
import type { WritableType, WriteDeps } from '../write-deps.ts'
import { updateStored } from './update.ts'

/** See `ContentWrites.putSingle`. */
export async function putSingle(
  deps: WriteDeps,
  request: SingleWriteRequest,
  data: unknown,
): Promise<{ entry: Entry; isNew: boolean }> {
  const type = deps.typeNamed(request.type)
  const put = () =>
    inTransaction(deps, request, async (tx) => {
      const { stored, values } = await openSingle(deps, type, request, { tx, data })
      const write = { ...request, tx }
      const entry =
        stored === undefined
          ? await runWrite(deps, type, createContext(type, write, { ...Object(data), ...values }))
          : await updateStored(deps, type, write, stored, data)
      return { entry, isNew: stored === undefined }
    })
  try {
    return await put()
  } catch (error) {
    // Another writer created the entry between the read and the write; now it can be updated.
    if (error instanceof AppError && error.code === 'CONFLICT' && request.tx === undefined) return put()
    throw error
  }
}

/** See `ContentWrites.deleteSingle`. */
export function deleteSingle(deps: WriteDeps, request: SingleWriteRequest): Promise<Entry> {
  const type = deps.typeNamed(request.type)
  return inTransaction(deps, request, async (tx) => {
    const { stored } = await openSingle(deps, type, request, { tx })
    if (stored === undefined) throw AppError.notFound(request.type)
    return runWrite(deps, type, deleteContext(type, { ...request, tx }, stored))
  })
}

/** The entry, if it exists, and the values that the query sets on a new one. */
async function openSingle(
  deps: WriteDeps,
  type: WritableType,
  { query, ...request }: SingleWriteRequest,
  { tx, data = {} }: { readonly tx: Transaction; readonly data?: unknown },
) {
  const { id, values } = await deps.singles.ofWrite(type.model, { query, data }, tx)
  return {
    values,
    stored: id === undefined ? undefined : await openEntry(deps, type, { ...request, id }, tx),
  }
}
