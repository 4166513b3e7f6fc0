import { withDraft } from '../drafts/draft-overlay.ts'
import type { Entry } from '../entry/entry.ts'
import { updateSchema } from '../entry/entry-schema.ts'
import { inheritHidden } from '../entry/hidden-parts.ts'
import { nextUpdatedAt, writtenReply } from '../entry/version.ts'
import type { CheckedPayload } from '../payload/payload.ts'
import { changeContext, type Write } from '../write/contexts.ts'
import type { ChangeToSee } from '../write/hidden-links/hidden-links.ts'
import { assertPayload, explained, storeChange } from '../write/store-change.ts'
import { namedValues, storedChange } from '../write/stored-change.ts'
import { goesIntoDraft, openEntry } from '../write/stored-entries.ts'
import { storedTogether } from '../write/stored-together.ts'
import type { WritableType, WriteDeps } from '../write/write-deps.ts'
import { defineEntryOperation, runWrite } from '../write/write-path.ts'
import { formerValues, repairWrite, type WriteAnnotation, writeAnnotation } from '../write-annotation.ts'
import type { ChangeContext, StoredEntry } from '../write-context.ts'
import type { EntryWriteRequest } from '../write-request.ts'
import type { InTransaction } from './operation.ts'
import { anyObject, autosaved, entryParams, entryWrite } from './route-requests.ts'

/** See `ContentWrites.update`. */
export const update = defineEntryOperation({
  service: 'content',
  right: 'update',
  async prepare(deps, type, write: InTransaction<EntryWriteRequest>, data: unknown) {
    return contextOf(type, write, await openEntry(deps, type, write, write.tx), data)
  },
  perform: changeEntry,
  route: {
    name: 'entries.update',
    tool: {
      name: 'update_entry',
      description:
        'Changes the fields of an entry that are in data, and no others; null empties one. Lists and components are replaced whole.',
    },
    method: 'PUT',
    path: '/:id',
    summary: 'Change fields of an entry',
    params: entryParams,
    body: anyObject,
    takesIfMatch: true,
    takesAutosave: true,
    document: (type, { schemas }) => ({
      summary: `Change ${type.displayName}`,
      body: updateSchema(type, schemas),
    }),
    handler: async (request, run) =>
      writtenReply(await run({ ...entryWrite(request), ...autosaved(request) }, request.body)),
  },
})

/** Changes a locked entry, or its draft. */
export function updateStored(
  deps: WriteDeps,
  type: WritableType,
  write: Write,
  stored: StoredEntry,
  data: unknown,
): Promise<Entry> {
  return runWrite(deps, type, contextOf(type, write, stored, data))
}

function contextOf(type: WritableType, write: Write, stored: StoredEntry, data: unknown): ChangeContext {
  const now = new Date().toISOString()
  const isDraftWrite = goesIntoDraft(type, stored, now)
  return changeContext(type, 'update', { ...write, now }, stored, { data, isDraftWrite })
}

async function changeEntry(deps: WriteDeps, type: WritableType, context: ChangeContext): Promise<Entry> {
  const { before, annotations, outcome } = context
  const change = await checkChange(deps, type, context)
  const { problems, columns, links, references } = change
  const isEmpty = Object.keys(columns).length === 0 && links.size === 0
  if (isEmpty && problems.length === 0 && !annotations.has(repairWrite)) return before
  if (context.isDraftWrite) return saveDraft(deps, type, context, change)
  await assertPayload(deps, type, context, change)
  outcome.event = 'update'
  return explained(type, { references, columns, before }, () =>
    storeChange(type, context, { columns, links }),
  )
}

async function checkChange(
  { hiddenLinks }: WriteDeps,
  type: WritableType,
  context: ChangeContext,
): Promise<CheckedPayload> {
  const { model, checker } = type
  const { data, before, annotations, isDraftWrite } = context
  if (annotations.has(repairWrite)) {
    return { ...storedChange(model, data), problems: [], references: new Map() }
  }
  const linked = annotations.get(linkedId)
  const options = { isDraft: isDraftWrite || (before.published_at ?? null) === null }
  if (linked !== undefined) return onlyLinked(linked, checker.forUpdate(data, before, options))
  const kept = await hiddenLinks.keep(data, changeToSee(type, context))
  const change = checker.forUpdate(kept, before, options)
  if (!annotations.has(formerValues)) return change
  return { ...change, references: hiddenLinks.newReferences(change.references, model, before) }
}

/**
 * For an update that links an entry: the linked id. Other ids in the same field were checked when they were
 * added.
 */
export const linkedId: WriteAnnotation<number> = writeAnnotation('content.linked-id')

/**
 * Checks only the new id: entries linked earlier may be hidden from the caller, who must not be refused for
 * them.
 */
function onlyLinked(linked: number, change: CheckedPayload): CheckedPayload {
  const references = [...change.references].map(
    ([type, items]) => [type, items.filter(({ id }) => id === linked)] as const,
  )
  return { ...change, references: new Map(references) }
}

/** What the hidden links of an updated entry are determined from: the entry, the caller and the transaction. */
function changeToSee(
  { model, checker }: WritableType,
  { before, principal, tx, annotations }: ChangeContext,
): ChangeToSee {
  return { model, checker, before, principal, queries: tx, together: annotations.get(storedTogether) }
}

/** Adds a checked change to the draft; returns the entry with the draft applied. @throws AppError 400 */
async function saveDraft(
  { references, changed }: WriteDeps,
  { model, drafts }: WritableType,
  context: ChangeContext,
  change: CheckedPayload,
): Promise<Entry> {
  const { stored, before, tx, principal, now, outcome } = context
  if (drafts === undefined) throw new Error(`${model.type.name} keeps no drafts`)
  // Foreign keys do not cover drafts.
  await references.checkAll(change, { principal, queries: tx })
  const values = namedValues(model, change)
  for (const [name, value] of Object.entries(values)) inheritHidden(before[name], value)
  const draft = {
    values: { ...stored.draft?.values, ...values },
    updatedAt: nextUpdatedAt(now, before),
  }
  await drafts.save(model.type, stored.row.id, draft, tx)
  changed({ type: model.type, kind: 'draft', id: stored.row.id }, tx)
  outcome.event = 'draft'
  outcome.draft = draft
  return withDraft(model, stored.row, draft)
}
