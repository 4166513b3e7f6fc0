import { withDraft } from '../../drafts/draft-overlay.ts'
import type { Entry } from '../../entry/entry.ts'
import { inheritHidden } from '../../entry/hidden-parts.ts'
import { nextUpdatedAt } from '../../entry/version.ts'
import type { CheckedPayload } from '../../payload/payload.ts'
import { formerValues, repairWrite } from '../../write-annotation.ts'
import type { ChangeContext, StoredEntry } from '../../write-context.ts'
import type { EntryWriteRequest } from '../../write-request.ts'
import { assertPayload } from '../assert-payload.ts'
import { changeContext, type Write } from '../contexts.ts'
import type { ChangeToSee } from '../hidden-links/hidden-links.ts'
import { runWrite } from '../run-write.ts'
import { explained, storeChange } from '../store-change.ts'
import { namedValues, storedChange } from '../stored-change.ts'
import { isPublishedAt, openEntry } from '../stored-entries.ts'
import { storedTogether } from '../stored-together.ts'
import { inTransaction } from '../transaction.ts'
import type { WritableType, WriteDeps } from '../write-deps.ts'
import { linkedId, onlyLinked } from './linked-id.ts'

/** See `ContentWrites.update`. */
export function updateEntry(deps: WriteDeps, request: EntryWriteRequest, data: unknown): Promise<Entry> {
  const type = deps.typeNamed(request.type)
  return inTransaction(deps, request, async (tx) => {
    const stored = await openEntry(deps, type, request, tx)
    return updateStored(deps, type, { ...request, tx }, stored, data)
  })
}

/** Changes a locked entry, or its draft. */
export function updateStored(
  deps: WriteDeps,
  type: WritableType,
  write: Write,
  stored: StoredEntry,
  data: unknown,
): Promise<Entry> {
  const now = new Date().toISOString()
  const isDraftWrite = goesIntoDraft(type, stored, now)
  const context = changeContext(type, 'update', { ...write, now }, stored, { data, isDraftWrite })
  return runWrite(deps, type, context)
}

/** Whether an update goes to the entry's pending draft. `now` is ISO 8601. */
export function goesIntoDraft({ drafts }: WritableType, { row, draft }: StoredEntry, now: string): boolean {
  return drafts !== undefined && (draft !== undefined || isPublishedAt(row, now))
}

/** The core of an update, behind all middleware. */
export async function changeEntry(
  deps: WriteDeps,
  type: WritableType,
  context: ChangeContext,
): Promise<Entry> {
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

/** What the caller of an update may not see of the entry. */
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
