import { Type } from 'typebox'
import { goesIntoDraft, openMany } from '../write/stored-entries.ts'
import type { WriteDeps } from '../write/write-deps.ts'
import { failedAlike } from '../write/write-errors.ts'
import { inTransaction } from '../write/write-path.ts'
import { changeTogether, entriesAtOnce } from '../write/write-together.ts'
import type { WriteRequest } from '../write-request.ts'
import { bulkMutation, idsIn, isCollection, undoable } from './bulk.ts'
import { defineOperation } from './operation.ts'
import { anyObject, ids, strict, typeParams, typeWrite } from './route-requests.ts'

/** See `BulkWrites.updateMany`. */
export const updateMany = defineOperation({
  service: 'bulkWrites',
  right: 'update',
  recordedAs: 'update',
  of: isCollection,
  run: updateAll,
  route: {
    name: 'entries.bulk-update',
    method: 'PATCH',
    path: '/bulk-update',
    summary: 'Apply the same change to many entries, all or none',
    params: typeParams,
    body: Type.Object({ ids, data: anyObject }, strict),
    document: ({ pluralName }) => ({
      summary: `Apply the same change to many ${pluralName}`,
      response: undoable,
    }),
    handler: (request, run) => run(typeWrite(request), request.body.ids, request.body.data),
  },
  mutation: {
    ...bulkMutation,
    name: (object) => `bulkUpdate${object}`,
    description: 'Makes the same change to entries, all or none',
    arguments: ({ updateInput }) => `ids: [ID!]!, data: ${updateInput}!`,
    resolve: (args, write, run) => run(write, idsIn(args), args.data),
  },
})

function updateAll(
  deps: WriteDeps,
  request: WriteRequest,
  ids: readonly number[],
  data: unknown,
): Promise<readonly number[]> {
  const type = deps.typeNamed(request.type)
  return inTransaction(deps, request, async (tx) => {
    const all = await openMany(deps, type, ids, request.principal, tx)
    for (let start = 0; start < all.length; start += entriesAtOnce) {
      const now = new Date().toISOString()
      const changes = all
        .slice(start, start + entriesAtOnce)
        .map((stored) => ({ stored, data, isDraftWrite: goesIntoDraft(type, stored, now) }))
      const together = { ...request, operation: 'update', tx, now, explain: failedAlike } as const
      await changeTogether(deps, type, changes, together)
    }
    return all.map(({ row }) => row.id)
  })
}
