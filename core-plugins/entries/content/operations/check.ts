import { Type } from 'typebox'
import type { ContentAction } from '../../../accounts/auth/auth.ts'
import type { Transaction } from '../../../foundation/database/database.ts'
import { AppError, type ErrorDetail } from '../../../foundation/http/http.ts'
import type { ContentType } from '../../../foundation/schemas/schemas.ts'
import type { Entry } from '../entry/entry.ts'
import { inputSchema, updateSchema } from '../entry/entry-schema.ts'
import { assertComplete } from '../write/assert-complete.ts'
import { withItsDraft } from '../write/stored-entries.ts'
import type { WriteDeps } from '../write/write-deps.ts'
import { inTransaction } from '../write/write-path.ts'
import type { EntryWriteRequest, SingleWriteRequest, WriteRequest } from '../write-request.ts'
import { create } from './create.ts'
import { defineOperation } from './operation.ts'
import { anyObject, entryParams, entryWrite, singleWrite, strict, typeParams } from './route-requests.ts'
import { putSingle } from './single.ts'
import { update } from './update.ts'

/** `details` has the form in which a refused write reports its problems. */
export type WriteCheck =
  | { readonly valid: true }
  | { readonly valid: false; readonly details: readonly ErrorDetail[] }

const description =
  'Takes what the write takes, and reports the problems that the write would: `{ valid: false, details }`. Nothing is stored.'

const detailSchema = Type.Object({ path: Type.String(), code: Type.String(), message: Type.String() })

/** The schema of a check's result. */
const checkSchema = Type.Object(
  { valid: Type.Boolean(), details: Type.Optional(Type.Array(detailSchema)) },
  strict,
)

const isSingle = (type: ContentType | undefined) => type?.kind === 'singleType'

/** The permission that creating an entry takes: `update` for single types, whose entry is created by an update. */
export function creatingAction(type: ContentType | undefined): ContentAction {
  return isSingle(type) ? 'update' : 'create'
}

/** See `ContentWrites.checkCreate`. */
export const checkCreate = defineOperation({
  service: 'content',
  right: 'create',
  rightsFor: (type, _data: unknown) => [creatingAction(type)],
  run: (deps, request: WriteRequest | SingleWriteRequest, data: unknown) =>
    checkWrite(deps, request, async (tx) =>
      isSingle(deps.typeNamed(request.type).model.type)
        ? (await putSingle.run(deps, { ...request, tx }, data)).entry
        : create.run(deps, { ...request, tx }, data),
    ),
  route: {
    name: 'entries.check-create',
    method: 'POST',
    path: '/check',
    summary: 'Check a new entry, or the entry of a single type, without storing it',
    description,
    policies: ['content.check'],
    params: typeParams,
    body: anyObject,
    takesIfMatch: true,
    response: checkSchema,
    audit: false,
    document: (type, { schemas, added }) => ({
      summary: `Check a new ${type.displayName} without storing it`,
      ...(isSingle(type) ? { query: Type.Object(added(type)) } : {}),
      body: isSingle(type) ? updateSchema(type, schemas) : inputSchema(type, schemas),
      response: checkSchema,
    }),
    handler: (request, run) => run(singleWrite(request), request.body),
  },
})

/** See `ContentWrites.checkUpdate`. */
export const checkUpdate = defineOperation({
  service: 'content',
  right: 'update',
  run: (deps, request: EntryWriteRequest, data: unknown, isPublishing?: boolean) =>
    checkWrite(deps, request, async (tx) => {
      const entry = await update.run(deps, { ...request, tx }, data)
      if (isPublishing === true) await assertPublishable(deps, request, tx)
      return entry
    }),
  route: {
    name: 'entries.check-update',
    method: 'POST',
    path: '/:id/check',
    summary: 'Check a change of an entry without storing it',
    description,
    params: entryParams,
    query: Type.Object({
      publishing: Type.Optional(
        Type.Boolean({ description: 'Also reports what the entry would lack to be published' }),
      ),
    }),
    body: anyObject,
    takesIfMatch: true,
    response: checkSchema,
    audit: false,
    document: (type, { schemas }) => ({
      summary: `Check a change of ${type.displayName} without storing it`,
      body: updateSchema(type, schemas),
      response: checkSchema,
    }),
    handler: (request, run) => run(entryWrite(request), request.body, request.query.publishing ?? false),
  },
})

/** @throws AppError 400 with everything that the entry, after the write, lacks to be published */
async function assertPublishable(deps: WriteDeps, { type: name, id }: EntryWriteRequest, tx: Transaction) {
  const type = deps.typeNamed(name)
  const row = await type.store.load(id, tx)
  if (row !== undefined) assertComplete(type, await withItsDraft(type, row, tx), new Date().toISOString())
}

/** Rolls back the transaction of a write that the database has accepted, so that nothing is stored. */
class Acceptable extends Error {}

/** Carries out a write and rolls it back, since only the write itself knows every reason to refuse it. */
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
        // After the follow-up work of plugins, which may also refuse the write.
        tx.beforeCommit(async () => {
          // Any query flushes the links, which otherwise wait for the commit.
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

/** The problems that a form can show beside its fields; undefined for other errors. */
function problemsIn(error: unknown): readonly ErrorDetail[] | undefined {
  if (!(error instanceof AppError)) return undefined
  return error.code === 'VALIDATION_ERROR' || error.code === 'CONFLICT' ? error.details : undefined
}
