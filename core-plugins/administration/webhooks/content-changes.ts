import { isDeepStrictEqual } from 'node:util'
import { v7 as uuidv7 } from 'uuid'
import type { ContentEvent, Entry, WriteContext, WriteStage } from '../../entries/content/content.ts'
import { untilCommit } from '../../foundation/database/database.ts'
import type { Principal } from '../../foundation/http/http.ts'
import { type Attribute, type ContentType, columnOf, hasLinkTable } from '../../foundation/schemas/schemas.ts'
import type { Dispatch, DispatchRequest } from './dispatch.ts'
import type { PublicationTimes } from './publication-times.ts'
import type { Subscriptions } from './subscriptions.ts'
import type { WebhookEvent } from './webhooks.ts'

/** Writes the deliveries of changes in the transactions of the changes, all of a transaction together. */
export function dispatchChanges(
  subscriptions: Subscriptions,
  dispatch: Dispatch,
  publications: PublicationTimes,
): WriteStage {
  const dispatchAtCommit = untilCommit<DispatchRequest>((requests, tx) => dispatch(tx, requests))
  return {
    name: 'webhooks: dispatch changes',
    matches: ({ type }) => !type.system,
    async run(context, next) {
      const entry = await next()
      const { type, tx } = context
      const { event } = context.outcome
      if (event === undefined) return entry
      const events = eventsOf(type, event)
      if (subscriptions.areAny(events, type.name)) {
        const recipients = await subscriptions.subscribersOf(events, type.name)
        if (recipients.length > 0) {
          dispatchAtCommit(tx, { payload: payloadOf(context, entry), recipients, origin: 'change' })
        }
      }
      if (isScheduledAnew(context, entry)) await publications.expect(tx, type.name, entry)
      return entry
    },
  }
}

const changeEvents: Readonly<Record<ContentEvent, readonly WebhookEvent[]>> = {
  create: ['entry.create'],
  update: ['entry.update'],
  delete: ['entry.delete'],
  publish: ['entry.publish'],
  unpublish: ['entry.unpublish'],
  draft: [],
  // The deletion was reported when it was moved to the trash.
  purge: [],
}

const draftEvents: Readonly<Record<ContentEvent, readonly WebhookEvent[]>> = {
  create: ['entry.create'],
  update: ['entry.update', 'entry.preview.invalidate'],
  delete: ['entry.delete', 'entry.preview.invalidate'],
  publish: ['entry.publish', 'entry.preview.invalidate'],
  unpublish: ['entry.unpublish', 'entry.preview.invalidate'],
  // The entry itself is unchanged: only previews show drafts.
  draft: ['entry.preview.invalidate'],
  purge: [],
}

/** See docs/webhooks.md: types with drafts also report what a CDN must purge. */
function eventsOf({ options }: ContentType, event: ContentEvent): readonly WebhookEvent[] {
  return (options.draftAndPublish ? draftEvents : changeEvents)[event]
}

function isScheduledAnew({ type, before, outcome, now }: WriteContext, entry: Entry): boolean {
  if (!type.options.draftAndPublish || outcome.event === 'delete') return false
  const { published_at: publishedAt } = entry
  return typeof publishedAt === 'string' && publishedAt > now && publishedAt !== before?.published_at
}

function payloadOf(context: WriteContext, entry: Entry) {
  const { type, principal, now } = context
  const data = { contentType: type.name, entry: shown(type, entry), ...previousIn(context, entry) }
  return {
    id: uuidv7(),
    contentType: type.name,
    entryId: entry.id,
    data: JSON.stringify({ ...data, actor: actorOf(principal) }),
    occurredAt: now,
    createdAt: now,
  }
}

/**
 * The earlier values of changed fields, which receivers need to find pages under their former addresses.
 * Only short values, so that a payload does not contain the entry twice.
 */
function previousIn({ type, stored, outcome }: WriteContext, entry: Entry): { previous?: Row } {
  if (stored === undefined || outcome.event === 'delete') return {}
  const names = [...type.attributes.values()].filter(isShort).map(({ name }) => name)
  const changed = [...names, 'published_at'].filter(
    (name) => Object.hasOwn(stored.row, name) && !isDeepStrictEqual(stored.row[name], entry[name]),
  )
  return { previous: Object.fromEntries(changed.map((name) => [name, stored.row[name]])) }
}

type Row = Record<string, unknown>

const longKinds: ReadonlySet<string | undefined> = new Set(['text', 'json', undefined])

const isShort = (attribute: Attribute) =>
  !hasLinkTable(attribute) && !longKinds.has(columnOf(attribute)?.kind)

/** Types without `timestamps` do not show them. */
function shown({ options }: ContentType, entry: Entry): Record<string, unknown> {
  if (options.timestamps) return entry
  const { created_at: _created, updated_at: _updated, ...rest } = entry
  return rest
}

/** The actor, as receivers see it; null for callers without credentials. */
export function actorOf(principal: Principal): Record<string, unknown> | null {
  switch (principal.kind) {
    case 'anonymous':
      return null
    case 'token':
      return { kind: principal.kind, id: principal.id, name: principal.name }
    default:
      return { kind: principal.kind, id: principal.id, username: principal.username }
  }
}
