import { type Transaction, untilCommit } from '../../foundation/database/database.ts'
import {
  type ContentEvent,
  defineWriteMiddleware,
  type Entry,
  type EntryChange,
  type EntryChangeListener,
  type WriteContext,
  type WriteStage,
} from '../content/content.ts'
import { actorOf } from './actor.ts'
import type { ChangeStore, NewChange } from './change-store.ts'
import type { Change, ChangeOrigin, NotedChange } from './changes.ts'
import { changedFields, imageOf, isPublicAt } from './image.ts'

export interface RecorderParts {
  readonly store: ChangeStore
  /** Creates uids that are unique across all processes. */
  readonly nextUid: () => string
  /** Called after the commit, before the write is acknowledged. */
  readonly onCommitted: (changes: readonly Change[]) => void
  /** Called within the transaction for every entry that will become public later. */
  readonly expectPublication: (change: EntryChange, publishedAt: string, tx: Transaction) => void
}

export interface Recorder {
  readonly record: EntryChangeListener
  /** Adds to recorded changes which content write made them, and the actor. */
  readonly attribute: WriteStage
  note(change: NotedChange, tx: Transaction): void
}

/** A change whose origin may become known before the commit. */
interface RecordedChange extends Change {
  origin: ChangeOrigin | undefined
  locale: string | undefined
}

/** The content write that made the last change of an entry so far. */
interface Attribution {
  readonly context: WriteContext
  readonly event: ContentEvent
  readonly entry: Entry
}

/** Writes changes to the log in the transaction that makes them. */
export function createRecorder({ store, nextUid, onCommitted, expectPublication }: RecorderParts): Recorder {
  const collect = untilCommit<RecordedChange | Attribution>((items, tx) => {
    const changes = attributed(items)
    if (changes.length === 0) return
    store.insertSoon(changes.map(rowOf), tx)
    tx.afterCommit(() => onCommitted(changes))
  })
  return {
    record(change, tx) {
      const now = new Date().toISOString()
      collect(tx, recorded(change, nextUid(), now))
      const publishedAt = change.after?.published_at
      if (typeof publishedAt !== 'string' || publishedAt <= now || change.type.system) return
      if (publishedAt !== change.before?.published_at) expectPublication(change, publishedAt, tx)
    },
    attribute: defineWriteMiddleware({
      name: 'changes: attribute',
      async run(context, next) {
        const entry = await next()
        const { event } = context.outcome
        if (event !== undefined) collect(context.tx, { context, event, entry })
        return entry
      },
    }),
    note({ kind, type, entryId }, tx) {
      const at = new Date().toISOString()
      const isPublic = kind === 'flip'
      collect(tx, { ...unknown, uid: nextUid(), kind, type, entryId, isPublic, at })
    },
  }
}

const unknown = {
  ...{ position: undefined, locale: undefined, fields: undefined, before: undefined, after: undefined },
  ...{ wasPublic: false, origin: undefined },
}

// Written as one literal: assembling the object from others would cost every write several times as much.
function recorded(
  { type, kind, id, before, after, fields }: EntryChange,
  uid: string,
  at: string,
): RecordedChange {
  const changed = changedFields(fields, before, after)
  return {
    uid,
    position: undefined,
    type: type.name,
    entryId: id,
    kind,
    locale: localeOf(after ?? before),
    wasPublic: isPublicAt(type, before, at),
    isPublic: isPublicAt(type, after, at),
    fields: changed === undefined ? undefined : new Set(changed),
    before: kind === 'create' ? null : before && imageOf(before),
    after: kind === 'delete' ? null : after && imageOf(after),
    origin: undefined,
    at,
  }
}

const localeOf = (entry: Entry | undefined) => (typeof entry?.locale === 'string' ? entry.locale : undefined)

/** The collected changes, each with the write that made it. */
function attributed(items: readonly (RecordedChange | Attribution)[]): readonly Change[] {
  const changes: RecordedChange[] = []
  for (const item of items) {
    if ('event' in item) attribute(changes, item)
    else changes.push(item)
  }
  return changes
}

/** Writes of one entry follow each other, so the change to attribute is among the last ones. */
function attribute(changes: readonly RecordedChange[], { context, event, entry }: Attribution): void {
  const { type, principal } = context
  const change = changes.findLast(({ entryId, type: name }) => entryId === entry.id && name === type.name)
  if (change === undefined || change.origin !== undefined) return
  const by = actorOf(principal)
  const version = type.options.timestamps ? entry.updated_at : undefined
  // Undefined values are left out of the JSON.
  change.origin = { operation: event, by, version: typeof version === 'string' ? version : undefined }
  change.locale ??= localeOf(entry)
}

function rowOf(change: Change): NewChange {
  const { uid, kind, type, entryId, locale, wasPublic, isPublic, fields, before, after, origin, at } = change
  return {
    uid,
    type: type ?? null,
    entryId: entryId ?? null,
    kind,
    locale: locale ?? null,
    wasPublic,
    isPublic,
    fields: fields === undefined ? null : [...fields],
    before: before ?? null,
    after: after ?? null,
    origin: origin ?? null,
    createdAt: at,
  }
}
