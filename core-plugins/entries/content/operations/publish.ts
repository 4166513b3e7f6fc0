import { Type } from 'typebox'
import { AppError, type Principal } from '../../../foundation/http/http.ts'
import type { ContentType } from '../../../foundation/schemas/schemas.ts'
import type { Entry } from '../entry/entry.ts'
import { inheritHidden } from '../entry/hidden-parts.ts'
import { writtenReply } from '../entry/version.ts'
import type { CheckedPayload } from '../payload/payload.ts'
import { type PublicationTimes, publicationTimesIn } from '../publication-times.ts'
import { assertComplete } from '../write/assert-complete.ts'
import { changeContext } from '../write/contexts.ts'
import { explained, storeChange } from '../write/store-change.ts'
import { namedValues } from '../write/stored-change.ts'
import { isPublishedAt, openRow } from '../write/stored-entries.ts'
import type { WritableType, WriteDeps } from '../write/write-deps.ts'
import { defineEntryOperation } from '../write/write-path.ts'
import type { ChangeContext } from '../write-context.ts'
import type { EntryWriteRequest } from '../write-request.ts'
import type { InTransaction } from './operation.ts'
import { entryParams, entryWrite, strict } from './route-requests.ts'

/** See `ContentWrites.publish`. The permission covers drafts, even for callers who cannot read them. */
export const publish = defineEntryOperation({
  service: 'content',
  right: 'publish',
  of: hasPublications,
  assertPossible: assertPublishable,
  prepare: (deps, type, write: InTransaction<EntryWriteRequest>, times: string | PublicationTimes = {}) =>
    openPublication(deps, type, write, {
      operation: 'publish',
      data: typeof times === 'string' ? { publishedAt: times } : times,
    }),
  perform: publishEntry,
  route: {
    name: 'entries.publish',
    tool: {
      name: 'publish_entry',
      description: 'Makes an entry public, or schedules it by a time to come.',
    },
    method: 'PUT',
    path: '/:id/publish',
    summary: 'Publish an entry now, or at a future time',
    description: 'With `unpublishAt` until that time; null: without an end; left out: until when it was.',
    params: entryParams,
    body: Type.Object(
      {
        publishedAt: Type.Optional(Type.String()),
        unpublishAt: Type.Optional(Type.Union([Type.String(), Type.Null()])),
      },
      strict,
    ),
    isBodyOptional: true,
    takesIfMatch: true,
    document: (type) => ({ summary: `Publish ${type.displayName}` }),
    handler: async (request, run) =>
      writtenReply(await run(entryWrite(request), publicationTimesIn(request.body ?? {}))),
  },
})

export function hasPublications({ options }: ContentType): boolean {
  return options.draftAndPublish
}

/** @throws AppError 400 for types without drafts */
export function assertPublishable({ model: { type } }: WritableType): void {
  if (type.options.draftAndPublish) return
  const message = `${type.name} has no drafts; set options.draftAndPublish in its schema to publish entries`
  throw AppError.invalid([{ path: 'type', code: 'unsupported', message }])
}

interface Publication {
  readonly operation: 'publish' | 'unpublish'
  readonly data: PublicationTimes
}

async function openPublication(
  deps: WriteDeps,
  type: WritableType,
  write: InTransaction<EntryWriteRequest>,
  { operation, data }: Publication,
): Promise<ChangeContext> {
  const row = await type.store.load(write.id, write.tx)
  if (row === undefined) throw AppError.notFound(`${write.type} ${write.id}`)
  const stored = await openRow(deps, type, write, row, write.tx)
  return changeContext(type, operation, write, stored, { data })
}

async function publishEntry(deps: WriteDeps, type: WritableType, context: ChangeContext): Promise<Entry> {
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

/** Refuses `unpublishAt`: if a plugin handled it, its stage would already have removed it from the data. */
function endless(): AppError {
  const message = 'nothing unpublishes entries at a time here: the plugin unpublish-times is off'
  return AppError.invalid([{ path: 'unpublishAt', code: 'unsupported', message }])
}

/**
 * The draft's references were authorized when it was saved, so those that the entry does not have yet are checked with full
 * rights. References to entries in the trash are valid, as in other entries.
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

/** See `ContentWrites.unpublish`. */
export const unpublish = defineEntryOperation({
  service: 'content',
  right: 'publish',
  of: hasPublications,
  assertPossible: assertPublishable,
  prepare: (deps, type, write: InTransaction<EntryWriteRequest>) =>
    openPublication(deps, type, write, { operation: 'unpublish', data: {} }),
  perform: unpublishEntry,
  route: {
    name: 'entries.unpublish',
    tool: {
      name: 'unpublish_entry',
      description: 'Makes a public entry a draft again.',
    },
    method: 'PUT',
    path: '/:id/unpublish',
    summary: 'Unpublish an entry',
    params: entryParams,
    body: Type.Object({}, strict),
    isBodyOptional: true,
    takesIfMatch: true,
    document: (type) => ({ summary: `Unpublish ${type.displayName}` }),
    handler: async (request, run) => writtenReply(await run(entryWrite(request))),
  },
})

async function unpublishEntry(_deps: WriteDeps, type: WritableType, context: ChangeContext): Promise<Entry> {
  const { before, outcome } = context
  if (before.published_at === null) return before
  outcome.event = 'unpublish'
  return storeChange(type, context, { columns: { published_at: null }, links: noChange.links })
}
