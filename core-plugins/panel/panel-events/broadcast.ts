import { createMailbox } from '../../../kernel/index.ts'
import type { AdminPrincipal } from '../../foundation/http/http.ts'
import type { EventStream } from './event-stream.ts'
import type { LiveEvent, LiveEvents } from './panel-events.ts'
import { type PresenceStore, peopleIn } from './presence.ts'
import type { Streams } from './streams.ts'
import type { PresenceRow } from './tables.ts'
import { createVisibleEvents, type VisibilityParts } from './visible-events.ts'

export interface BroadcastParts extends VisibilityParts {
  readonly streams: Streams
  readonly presence: PresenceStore
}

/** Sends events to the streams of this process. */
export interface Broadcast {
  deliver(events: readonly LiveEvent[]): Promise<void>
  /** Sends the events that a stream missed while it was being opened. */
  catchUp(stream: EventStream, events: readonly LiveEvent[]): Promise<void>
  /** Makes all panels reload their data. */
  restart(): void
  /** Called once a second: ends streams whose sessions have ended, and keeps the others alive. */
  tick(): Promise<void>
}

/** Every so many ticks, presence is checked for people who vanished without notice. */
const presenceEveryTicks = 5

export function createBroadcast(parts: BroadcastParts): Broadcast {
  const { auth, streams, presence } = parts
  const sendingPresence = createMailbox()
  let ticks = 0

  /** Whether the session is still valid and belongs to an admin user. */
  async function isStillOpen(stream: EventStream): Promise<boolean> {
    const principal = await auth.principalOf(stream.credential)
    if (principal?.kind === 'admin' && principal.id === stream.principal.id) {
      stream.principal = principal
      return stream.isOpen
    }
    stream.end()
    return false
  }

  async function sendVisible(
    stream: EventStream,
    visible: ReturnType<typeof createVisibleEvents>,
  ): Promise<void> {
    if (!(await isStillOpen(stream))) return
    const { principal, place } = stream
    for (const event of await visible.for({ principal, place })) stream.send(event.kind, shown(event))
  }

  async function sendPresence(): Promise<void> {
    const byEntry = new Map<string, PresenceRow[]>()
    const byStream = new Map<string, PresenceRow>()
    for (const row of await presence.all()) {
      const key = `${row.type} ${row.entryId}`
      byEntry.set(key, [...(byEntry.get(key) ?? []), row])
      byStream.set(`${row.userId} ${row.stream}`, row)
    }
    for (const stream of streams.all()) {
      const own = byStream.get(`${stream.principal.id} ${stream.name}`)
      stream.place = own && { type: own.type, entryId: own.entryId }
      if (own !== undefined) await sendPeople(stream, own, byEntry.get(`${own.type} ${own.entryId}`) ?? [])
    }
  }

  async function sendPeople(stream: EventStream, { type, entryId }: PresenceRow, rows: PresenceRow[]) {
    const data = { type, id: entryId, people: peopleIn(rows, stream.principal.id) }
    const sent = JSON.stringify(data)
    if (sent === stream.sentPeople) return
    if (!(await isStillOpen(stream)) || !(await maySee(stream.principal, type, entryId))) return
    stream.sentPeople = sent
    stream.send('presence', data)
  }

  async function maySee(principal: AdminPrincipal, type: string, entryId: number): Promise<boolean> {
    if (!auth.seesDrafts(principal, type)) return false
    return (await parts.content.findMany(type, [entryId], { principal, fields: ['id'] })).length > 0
  }

  return {
    async deliver(events) {
      if (events.some(({ kind }) => kind === 'presence')) await sendingPresence.run(sendPresence)
      const visible = createVisibleEvents(parts, events)
      await Promise.all(streams.all().map((stream) => sendVisible(stream, visible)))
    },
    catchUp: (stream, events) => sendVisible(stream, createVisibleEvents(parts, events)),
    restart() {
      for (const stream of streams.all()) stream.send('restart', {})
    },
    async tick() {
      const nowMs = performance.now()
      for (const stream of streams.all()) if (await isStillOpen(stream)) stream.heartbeat(nowMs)
      ticks += 1
      const isPlaced = streams.all().some(({ place }) => place !== undefined)
      if (ticks % presenceEveryTicks === 0 && isPlaced) await sendingPresence.run(sendPresence)
    },
  }
}

/** Removes the presence of a closed panel, and publishes the change. */
export async function leave(stream: EventStream, presence: PresenceStore, events: LiveEvents): Promise<void> {
  const left = await presence.remove(stream.principal.id, stream.name)
  if (left !== undefined) events.publish({ kind: 'presence', type: left.type, entryId: left.entryId })
}

function shown({ type, entryId: id, operation, locale, version, by }: LiveEvent) {
  return { type, id, operation, locale, version, by }
}
