import { AppError } from '../../../../foundation/http/http.ts'
import type { Entry } from '../../entry/entry.ts'
import type { ChangeContext } from '../../write-context.ts'
import type { EntryWriteRequest } from '../../write-request.ts'
import { changeContext } from '../contexts.ts'
import { runWrite } from '../run-write.ts'
import { openEntry } from '../stored-entries.ts'
import { inTransaction } from '../transaction.ts'
import type { WritableType, WriteDeps } from '../write-deps.ts'

/** See `ContentWrites.discard`. */
export async function discardDraft(deps: WriteDeps, request: EntryWriteRequest): Promise<Entry> {
  const type = deps.typeNamed(request.type)
  if (type.drafts === undefined) throw noDraft(request.type, request.id)
  return inTransaction(deps, request, async (tx) => {
    const stored = await openEntry(deps, type, request, tx)
    const context = changeContext(type, 'discard', { ...request, tx }, stored, { isDraftWrite: true })
    return runWrite(deps, type, context)
  })
}

/** The core of a discard, behind all middleware. */
export async function removeDraft(
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
