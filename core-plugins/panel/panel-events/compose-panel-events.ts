import { type InitContext, type Repetition, repeat } from '../../../kernel/index.ts'
import type { Auth } from '../../accounts/auth/auth.ts'
import type { ChangeLog } from '../../entries/changes/changes.ts'
import { type Content, contentReadMiddleware } from '../../entries/content/content.ts'
import type { Database } from '../../foundation/database/database.ts'
import type { Route } from '../../foundation/http/http.ts'
import type { ContentType, Schemas } from '../../foundation/schemas/schemas.ts'
import type { Signals } from '../../foundation/signals/signals.ts'
import { createBroadcast, leave } from './broadcast.ts'
import { createEntryEvents } from './entry-events.ts'
import { createEventLog } from './event-log.ts'
import type { EventStream, StreamListener } from './event-stream.ts'
import type { LiveEvents } from './panel-events.ts'
import { beatSeconds, createPresenceStore } from './presence.ts'
import { createPublisher } from './publisher.ts'
import { liveEventRoutes } from './routes.ts'
import { createStreams } from './streams.ts'
import { changedTopic, createSubscriber } from './subscriber.ts'

type Context = InitContext<{
  readonly auth: Auth
  readonly changes: ChangeLog | undefined
  readonly content: Content
  readonly database: Database
  readonly schemas: Schemas
  readonly signals: Signals | undefined
}>

/** The assembled parts of the plugin. */
export interface LiveEventParts {
  readonly events: LiveEvents
  readonly routes: readonly Route[]
  start(): void
  /** Ends all streams, so that shutdown does not wait for them. */
  endStreams(): void
  stop(): Promise<void>
}

const tickMs = 1_000
const pruneEveryMs = 60_000
/** How long events are kept: longer than any process takes to read them. */
const keptMs = 5 * 60_000

export function composePanelEvents(context: Context): LiveEventParts {
  const { services, contributions, log } = context
  const { changes, signals, database } = services
  const streams = createStreams()
  const presence = createPresenceStore(database)
  const eventLog = createEventLog(database)
  const isRestricted = (type: ContentType) =>
    contributions(contentReadMiddleware).some((stage) => stage.matches({ type, operation: 'list' }))
  const broadcast = createBroadcast({ ...services, streams, presence, isRestricted })
  const subscriber = createSubscriber({
    ...{ log: eventLog, signals, logger: log, deliver: broadcast.deliver, onGap: broadcast.restart },
    isWanted: () => streams.size > 0,
  })
  const entryEvents =
    changes && createEntryEvents({ changes, deliver: broadcast.deliver, onGap: broadcast.restart })
  const onWritten = () => {
    signals?.send(changedTopic)
    subscriber.poll()
  }
  const events = createPublisher({ log: eventLog, logger: log, onWritten })

  const listener: StreamListener = {
    opened(stream) {
      streams.add(stream)
      welcome(stream).catch((error) => {
        log.warn({ err: error }, 'a panel cannot be told what happens')
        stream.cut()
      })
    },
    closed(stream) {
      if (!streams.remove(stream)) return
      leave(stream, presence, events).catch((error) => log.debug({ err: error }, 'a presence has to expire'))
    },
  }

  /** Once the stream has sent `hello`, no event is missed. */
  async function welcome(stream: EventStream): Promise<void> {
    await Promise.all([subscriber.subscribe(), entryEvents?.subscribe()])
    if (stream.isAgain) stream.send('restart', {})
    // The id is never used to resume: a reader that sends any id has had a stream before.
    stream.send('hello', { beatSeconds }, stream.name)
    await broadcast.catchUp(stream, [...subscriber.recent(), ...(entryEvents?.recent() ?? [])])
    stream.welcomed()
  }

  const prune = async () => {
    await eventLog.removeBefore(new Date(Date.now() - keptMs).toISOString())
    await presence.removeExpired()
  }
  const tick = async () => {
    if (streams.size === 0) entryEvents?.rest()
    await broadcast.tick()
  }
  let repetitions: readonly Repetition[] = []
  return {
    events,
    routes: liveEventRoutes({ ...services, streams, presence, events, listener }),
    start() {
      const onError = (error: unknown) => log.warn({ err: error }, 'live events lag behind; retrying')
      repetitions = [
        repeat(tick, { everyMs: tickMs, onError }),
        repeat(prune, { everyMs: pruneEveryMs, onError }),
      ]
    },
    endStreams() {
      for (const stream of streams.all()) stream.end()
    },
    async stop() {
      subscriber.stop()
      await Promise.all(repetitions.map((each) => each.stop()))
      entryEvents?.rest()
      await events.stop()
    },
  }
}
