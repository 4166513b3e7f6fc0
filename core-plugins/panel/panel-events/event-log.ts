import { sql } from 'drizzle-orm'
import type { Database } from '../../foundation/database/database.ts'
import type { LiveEvent } from './panel-events.ts'
import { type LiveEventRow, liveEventsTable } from './tables.ts'

/** The maximum number of events per read. */
export const maxRead = 1_000

/** A stored event. */
export interface LoggedEvent {
  readonly id: number
  /** ISO 8601. */
  readonly at: string
  readonly event: LiveEvent
}

/** The rows of `svc_live_events`. */
export interface EventLog {
  append(events: readonly LiveEvent[]): Promise<void>
  /** Events with a higher id, oldest first; at most `maxRead`. */
  after(id: number): Promise<readonly LoggedEvent[]>
  /** The highest id; 0 if there are no events. */
  newest(): Promise<number>
  removeBefore(time: string): Promise<void>
}

export function createEventLog(database: Database): EventLog {
  const events = liveEventsTable.on(database)
  const { id, createdAt } = liveEventsTable.columns
  const queries = {
    insert: events.insertMany(),
    after: events.find((value) => sql`${id} > ${value('after', 'integer')}`, {
      orderBy: sql`${id}`,
      limit: maxRead,
    }),
    newest: events.find([], { pick: ['id'], orderBy: sql`${id} desc`, limit: 1 }),
    remove: events.delete((value) => sql`${createdAt} < ${value(createdAt, 'before')}`),
  }
  return {
    append: (all) => queries.insert(all.map(rowOf)),
    after: async (last) => (await queries.after.all({ after: last })).map(loggedOf),
    newest: async () => (await queries.newest.get())?.id ?? 0,
    async removeBefore(before) {
      await queries.remove.run({ before })
    },
  }
}

function rowOf({ kind, by, ...event }: LiveEvent) {
  const { type = null, entryId = null, operation = null } = event
  return {
    ...{ kind, type, entryId, operation },
    actorKind: by?.kind ?? null,
    actorId: by?.id ?? null,
    actorName: by?.name.slice(0, 255) ?? null,
    audience: event.audience ?? null,
    createdAt: new Date().toISOString(),
  }
}

function loggedOf({ id, createdAt: at, kind, type, entryId, operation, audience, ...row }: LiveEventRow) {
  const { actorKind, actorId, actorName } = row
  const event: LiveEvent = {
    kind,
    ...(type !== null && { type }),
    ...(entryId !== null && { entryId }),
    ...(operation !== null && { operation }),
    ...(audience !== null && { audience }),
    ...(actorKind !== null &&
      actorId !== null && { by: { kind: actorKind, id: actorId, name: actorName ?? '' } }),
  }
  return { id, at, event }
}
