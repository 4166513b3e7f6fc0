import { Type } from 'typebox'
import { deleteContext } from '../write/contexts.ts'
import { openMany } from '../write/stored-entries.ts'
import type { WriteDeps } from '../write/write-deps.ts'
import { inTransaction, runWrite } from '../write/write-path.ts'
import type { WriteRequest } from '../write-request.ts'
import { bulkMutation, idsIn, isCollection, undoable } from './bulk.ts'
import { defineOperation } from './operation.ts'
import { ids, strict, typeParams, typeWrite } from './route-requests.ts'

/** See `BulkWrites.deleteMany`. */
export const deleteMany = defineOperation({
  service: 'bulkWrites',
  right: 'delete',
  recordedAs: 'delete',
  of: isCollection,
  run: deleteAll,
  route: {
    name: 'entries.bulk-delete',
    method: 'DELETE',
    path: '/bulk-delete',
    summary: 'Delete many entries, all or none',
    params: typeParams,
    body: Type.Object({ ids }, strict),
    document: ({ pluralName }) => ({ summary: `Delete many ${pluralName}`, response: undoable }),
    handler: (request, run) => run(typeWrite(request), request.body.ids),
  },
  mutation: {
    ...bulkMutation,
    name: (object) => `bulkDelete${object}`,
    description: 'Deletes entries, all or none',
    resolve: (args, write, run) => run(write, idsIn(args)),
  },
})

function deleteAll(
  deps: WriteDeps,
  request: WriteRequest,
  ids: readonly number[],
): Promise<readonly number[]> {
  const type = deps.typeNamed(request.type)
  return inTransaction(deps, request, async (tx) => {
    const all = await openMany(deps, type, ids, request.principal, tx)
    for (const stored of all) {
      await runWrite(deps, type, deleteContext(type, { ...request, tx }, stored))
    }
    return all.map(({ row }) => row.id)
  })
}
