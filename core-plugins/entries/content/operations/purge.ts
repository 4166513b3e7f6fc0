import { AppError } from '../../../foundation/http/http.ts'
import type { ContentType } from '../../../foundation/schemas/schemas.ts'
import { deleteContext } from '../write/contexts.ts'
import { openRow } from '../write/stored-entries.ts'
import { inTransaction, runWrite } from '../write/write-path.ts'
import type { EntryWriteRequest } from '../write-request.ts'
import { defineOperation } from './operation.ts'

/** See `Trash.purge`. REST offers it as a permanent delete. */
export const purge = defineOperation({
  service: 'trash',
  right: 'delete',
  isForAdministrators: true,
  run(deps, request: EntryWriteRequest) {
    const type = deps.typeNamed(request.type)
    return inTransaction(deps, request, async (tx) => {
      const present = await type.store.load(request.id, tx)
      const row = present ?? (await type.store.loadDeleted(request.id, tx))
      if (row === undefined) throw AppError.notFound(`${request.type} ${request.id}`)
      const stored = await openRow(deps, type, request, row, tx)
      const removal = { isForGood: true, isInTrash: present === undefined }
      return runWrite(deps, type, deleteContext(type, { ...request, tx }, stored, removal))
    })
  },
  mutation: {
    name: (object) => `purge${object}`,
    description: 'Deletes an entry for good, whether it is in the trash or not',
    arguments: () => 'id: ID!',
    answer: 'entry',
    resolve: ({ id }, write, run) => run({ ...write, id: Number(id) }),
  },
})

export function hasTrash({ options }: ContentType): boolean {
  return options.softDelete
}
