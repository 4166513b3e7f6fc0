import { AppError } from '../../../foundation/http/http.ts'
import type { Entry } from '../entry/entry.ts'
import { writtenReply } from '../entry/version.ts'
import { assertStaysComplete } from '../write/assert-complete.ts'
import { changeContext } from '../write/contexts.ts'
import { explained, versioned } from '../write/store-change.ts'
import { storedChange } from '../write/stored-change.ts'
import { openRow } from '../write/stored-entries.ts'
import type { WritableType, WriteDeps } from '../write/write-deps.ts'
import { defineEntryOperation } from '../write/write-path.ts'
import type { ChangeContext } from '../write-context.ts'
import type { EntryWriteRequest } from '../write-request.ts'
import type { InTransaction } from './operation.ts'
import { hasTrash } from './purge.ts'
import { entryParams, entryWrite } from './route-requests.ts'

/** See `Trash.restore`. */
export const restore = defineEntryOperation({
  service: 'trash',
  right: 'delete',
  isForAdministrators: true,
  of: hasTrash,
  async prepare(deps, type, write: InTransaction<EntryWriteRequest>) {
    const row = await type.store.loadDeleted(write.id, write.tx)
    if (row === undefined) throw AppError.notFound(`deleted ${write.type} ${write.id}`)
    return changeContext(type, 'restore', write, await openRow(deps, type, write, row, write.tx))
  },
  perform: takeFromTrash,
  route: {
    name: 'entries.restore',
    method: 'POST',
    path: '/:id/restore',
    summary: 'Restore a soft-deleted entry',
    params: entryParams,
    takesIfMatch: true,
    document: (type) => ({ summary: `Restore a deleted ${type.displayName}` }),
    handler: async (request, run) => writtenReply(await run(entryWrite(request))),
  },
  mutation: {
    name: (object) => `restore${object}`,
    description: 'Takes an entry out of the trash',
    arguments: () => 'id: ID!',
    answer: 'entry',
    resolve: ({ id }, write, run) => run({ ...write, id: Number(id) }),
  },
})

async function takeFromTrash(deps: WriteDeps, type: WritableType, context: ChangeContext): Promise<Entry> {
  const { before, tx, additions, outcome } = context
  // It adopts the current values of the fields that it shares with its other versions.
  if ((before.published_at ?? null) !== null) assertStaysComplete(type, before, additions.inherited ?? {})
  outcome.event = 'update'
  if (additions.isSingleClaimed) await deps.claims.claim(type, tx)
  const { columns, links } = storedChange(type.model, additions.inherited)
  const change = { columns: versioned(context, { ...columns, deleted_at: null }), links }
  return explained(type, { references: new Map(), before }, () => type.store.update(before, change, tx))
}
