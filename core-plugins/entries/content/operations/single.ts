import { Type } from 'typebox'
import type { Transaction } from '../../../foundation/database/database.ts'
import { AppError } from '../../../foundation/http/http.ts'
import type { ContentType } from '../../../foundation/schemas/schemas.ts'
import type { Entry } from '../entry/entry.ts'
import { updateSchema } from '../entry/entry-schema.ts'
import { writtenReply } from '../entry/version.ts'
import { createContext, deleteContext } from '../write/contexts.ts'
import { openEntry } from '../write/stored-entries.ts'
import type { WritableType, WriteDeps } from '../write/write-deps.ts'
import { inTransaction, runWrite } from '../write/write-path.ts'
import type { SingleWriteRequest } from '../write-request.ts'
import { defineOperation } from './operation.ts'
import { anyObject, autosaved, singleWrite, typeParams } from './route-requests.ts'
import { updateStored } from './update.ts'

/** See `ContentWrites.putSingle`. */
export const putSingle = defineOperation({
  service: 'content',
  right: 'update',
  of: isSingle,
  run: createOrUpdate,
  route: {
    name: 'single.put',
    tool: {
      name: 'save_single',
      description: 'Creates the entry of a single type, or changes the fields of it that are in data.',
    },
    method: 'PUT',
    path: '',
    summary: 'Create or update the entry of a single type',
    params: typeParams,
    body: anyObject,
    takesIfMatch: true,
    takesAutosave: true,
    document: (type, { schemas, added }) => ({
      summary: `Create or update ${type.displayName}`,
      query: Type.Object(added(type)),
      body: updateSchema(type, schemas),
    }),
    async handler(request, run, deps) {
      assertSingle(deps, request.params.type)
      const { entry, isNew } = await run({ ...singleWrite(request), ...autosaved(request) }, request.body)
      return writtenReply(entry, isNew ? 201 : 200)
    },
  },
})

async function createOrUpdate(
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
export const deleteSingle = defineOperation({
  service: 'content',
  right: 'delete',
  of: isSingle,
  run(deps, request: SingleWriteRequest) {
    const type = deps.typeNamed(request.type)
    return inTransaction(deps, request, async (tx) => {
      const { stored } = await openSingle(deps, type, request, { tx })
      if (stored === undefined) throw AppError.notFound(request.type)
      return runWrite(deps, type, deleteContext(type, { ...request, tx }, stored))
    })
  },
  route: {
    name: 'single.delete',
    method: 'DELETE',
    path: '',
    summary: 'Delete the entry of a single type',
    params: typeParams,
    takesIfMatch: true,
    document: (type, { added }) => ({
      summary: `Delete ${type.displayName}`,
      query: Type.Object(added(type)),
    }),
    handler(request, run, deps) {
      assertSingle(deps, request.params.type)
      return run(singleWrite(request))
    },
  },
})

function isSingle({ kind }: ContentType): boolean {
  return kind === 'singleType'
}

/** @throws AppError 404, 405 */
function assertSingle({ schemas: { types } }: WriteDeps, name: string): void {
  const type = types.get(name)
  if (type === undefined) throw AppError.notFound(`content type ${name}`)
  if (isSingle(type)) return
  const message = `${name} has many entries; name one by its id`
  throw new AppError('METHOD_NOT_ALLOWED', message, { headers: { allow: 'GET, POST' } })
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
