import { AppError } from '../../../foundation/http/http.ts'
import type { Entry } from '../entry/entry.ts'
import { changeContext } from '../write/contexts.ts'
import { openEntry } from '../write/stored-entries.ts'
import type { WritableType, WriteDeps } from '../write/write-deps.ts'
import { defineEntryOperation } from '../write/write-path.ts'
import type { ChangeContext } from '../write-context.ts'
import type { EntryWriteRequest } from '../write-request.ts'
import type { InTransaction } from './operation.ts'

/** See `ContentWrites.discard`. The plugin that keeps the drafts offers it over REST and GraphQL. */
export const discard = defineEntryOperation({
  service: 'content',
  right: 'update',
  assertPossible({ drafts }, { type, id }: EntryWriteRequest) {
    if (drafts === undefined) throw noDraft(type, id)
  },
  prepare: async (deps, type, write: InTransaction<EntryWriteRequest>) =>
    changeContext(type, 'discard', write, await openEntry(deps, type, write, write.tx), {
      isDraftWrite: true,
    }),
  perform: removeDraft,
})

async function removeDraft(
  { changed }: WriteDeps,
  { model, drafts }: WritableType,
  { stored, tx, outcome }: ChangeContext,
): Promise<Entry> {
  const { row, draft } = stored
  if (draft === undefined) throw noDraft(model.type.name, row.id)
  await drafts?.remove(model.type, [row.id], tx)
  changed({ type: model.type, kind: 'draft', id: row.id }, tx)
  outcome.event = 'draft'
  outcome.draft = undefined
  return row
}

function noDraft(type: string, id: number): AppError {
  return AppError.notFound(`draft of ${type} ${id}`)
}
