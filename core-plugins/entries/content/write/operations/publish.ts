import type { Principal } from '../../../../foundation/http/http.ts'
import { AppError } from '../../../../foundation/http/http.ts'
import type { Entry } from '../../entry/entry.ts'
import { inheritHidden } from '../../entry/hidden-parts.ts'
import type { CheckedPayload } from '../../payload/payload.ts'
import type { PublicationTimes } from '../../publication-times.ts'
import type { ChangeContext } from '../../write-context.ts'
import type { EntryWriteRequest, WriteRequest } from '../../write-request.ts'
import { assertComplete } from '../assert-complete.ts'
import { changeContext } from '../contexts.ts'
import { runWrite } from '../run-write.ts'
import { explained, storeChange } from '../store-change.ts'
import { namedValues } from '../stored-change.ts'
import { assertAllFound, isPublishedAt, openRow, withTheirDrafts } from '../stored-entries.ts'
import { inTransaction } from '../transaction.ts'
import type { WritableType, WriteDeps } from '../write-deps.ts'
import { changeTogether, portionsOf } from '../write-together.ts'

type Publication = 'publish' | 'unpublish'

/**
 * See `ContentWrites.publish` and `unpublish`. Permission to publish covers drafts, even for callers who
 * cannot read them.
 */
export function changePublication(
  deps: WriteDeps,
  operation: Publication,
  request: EntryWriteRequest,
  data: PublicationTimes,
): Promise<Entry> {
  const type = deps.typeNamed(request.type)
  assertPublishable(type)
  return inTransaction(deps, request, async (tx) => {
    const row = await type.store.load(request.id, tx)
    if (row === undefined) throw AppError.notFound(`${request.type} ${request.id}`)
    const stored = await openRow(deps, type, request, row, tx)
    return runWrite(deps, type, changeContext(type, operation, { ...request, tx }, stored, { data }))
  })
}

/** See `BulkWrites.publishMany` and `unpublishMany`. */
export async function changePublications(
  deps: WriteDeps,
  operation: Publication,
  request: WriteRequest,
  ids: readonly number[],
): Promise<void> {
  const type = deps.typeNamed(request.type)
  assertPublishable(type)
  await inTransaction(deps, request, async (tx) => {
    for (const portion of portionsOf(ids)) {
      const rows = await type.store.loadMany(portion, tx)
      assertAllFound(type, rows, portion)
      const now = new Date().toISOString()
      const stored = await withTheirDrafts(type, rows, tx)
      const changes = stored.map((each) => ({ stored: each, data: {} }))
      await changeTogether(deps, type, changes, { ...request, operation, tx, now })
    }
  })
}

/** @throws AppError 400 for types without drafts */
export function assertPublishable({ model: { type } }: WritableType): void {
  if (type.options.draftAndPublish) return
  const message = `${type.name} has no drafts; set options.draftAndPublish in its schema to publish entries`
  throw AppError.invalid([{ path: 'type', code: 'unsupported', message }])
}

/** The core of a publication, behind all middleware. */
export async function publishEntry(
  deps: WriteDeps,
  type: WritableType,
  context: ChangeContext,
): Promise<Entry> {
  const { before, data, now, stored, outcome } = context
  if (data.unpublishAt !== undefined) throw endless()
  const publishedAt = String(data.publishedAt ?? now)
  const isPublic = data.publishedAt === undefined && isPublishedAt(before, now)
  const isUnchanged = isPublic || before.published_at === publishedAt
  if (isUnchanged && stored.draft === undefined) return before
  assertComplete(type, stored, now)
  const draft = await draftedChange(deps, type, context)
  outcome.event = publishedAt > now ? 'update' : 'publish'
  // A public entry keeps its publication time: applying a draft is a correction, not a new publication.
  const columns = { ...draft.columns, published_at: isPublic ? before.published_at : publishedAt }
  const entry = await explained(type, { ...draft, before }, () =>
    storeChange(type, context, { columns, links: draft.links }),
  )
  outcome.draft = undefined
  return entry
}

/** A stage that unpublishes entries takes the time out of the data. */
function endless(): AppError {
  const message = 'nothing unpublishes entries at a time here: the plugin unpublish-times is off'
  return AppError.invalid([{ path: 'unpublishAt', code: 'unsupported', message }])
}

/**
 * The draft's references were authorized when it was saved, so they are checked with full rights, as far as the entry does not
 * have them already. Entries in the trash are there, as they are for entries that refer to them.
 */
const itself: Principal = { kind: 'token', id: 0, name: 'content', scopes: new Set(['admin:*']) }

const noChange: CheckedPayload = { problems: [], columns: {}, links: new Map(), references: new Map() }

/**
 * The draft's changes, validated again because the data may have changed since it was saved. @throws AppError
 * 400
 */
async function draftedChange(
  { references, hiddenLinks }: WriteDeps,
  { model, checker }: WritableType,
  { stored, before, tx }: ChangeContext,
): Promise<CheckedPayload> {
  if (stored.draft === undefined) return noChange
  const { values } = stored.draft
  const change = checker.forUpdate(values, before)
  for (const [name, value] of Object.entries(namedValues(model, change))) inheritHidden(values[name], value)
  const added = { ...change, references: hiddenLinks.newReferences(change.references, model, before) }
  await references.check(added, { model, principal: itself, queries: tx, isTrashSeen: true })
  return change
}

const noLinks: ReadonlyMap<string, readonly number[]> = new Map()

/** The core of an unpublish, behind all middleware. */
export async function unpublishEntry(type: WritableType, context: ChangeContext): Promise<Entry> {
  const { before, outcome } = context
  if (before.published_at === null) return before
  outcome.event = 'unpublish'
  return storeChange(type, context, { columns: { published_at: null }, links: noLinks })
}
