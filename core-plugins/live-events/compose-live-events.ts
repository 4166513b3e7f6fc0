import { type InitContext, type Repetition, repeat } from '../../kernel/index.ts'
import type { Auth } from '../auth/auth.ts'
import { type Content, contentReadMiddleware } from '../content/content.ts'
import type { Database } from '../database/database.ts'
import type { Route } from '../http/http.ts'
import type { ContentType, Schemas } from '../schemas/schemas.ts'
import type { Signals } from '../signals/signals.ts'
import { createBroadcast, leave } from './broadcast.ts'
import { createEventLog } from './event-log.ts'
import type { EventStream } from './event-stream.ts'
import type { LiveEvents } from './live-events.ts'
import { createPresenceStore } from './presence.ts'
import { createPublisher } from './publisher.ts'
import { liveEventRoutes } from './routes.ts'
import { createStreams } from './streams.ts'
import { changedTopic, createSubscriber } from './subscriber.ts'

type Context = InitContext<{
  readonly auth: Auth
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
  /** Ends all streams, so that a stop need not wait for them. */
  endStreams(): void
  stop(): Promise<void>
}

const tickMs = 1_000
const pruneEveryMs = 60_000
/** Longer than any process needs to notice events. */
const keptMs = 5 * 60_000

export function composeLiveEvents(context: Context): LiveEventParts {
  const { services, contributions, log } = context
  const { signals, database } = services
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
  const onWritten = () => {
    signals?.send(changedTopic)
    subscriber.poll()
  }
  const events = createPublisher({ log: eventLog, logger: log, onWritten })

  async function open(stream: EventStream): Promise<void> {
    const { source } = stream
    source.on('error', () => undefined)
    source.once('close', () => {
      streams.remove(stream)
      leave(stream, presence, events).catch((error) => log.debug({ err: error }, 'a presence has to expire'))
    })
    streams.add(stream)
    try {
      await subscriber.subscribe()
      await broadcast.catchUp(stream, subscriber.recent())
    } catch (error) {
      source.destroy()
      throw error
    }
  }

  const prune = async () => {
    await eventLog.removeBefore(new Date(Date.now() - keptMs).toISOString())
    await presence.removeExpired()
  }
  let repetitions: readonly Repetition[] = []
  return {
    events,
    routes: liveEventRoutes({ ...services, streams, presence, events, open }),
    start() {
      const onError = (error: unknown) => log.warn({ err: error }, 'live events lag behind; retrying')
      repetitions = [
        repeat(broadcast.tick, { everyMs: tickMs, onError }),
        repeat(prune, { everyMs: pruneEveryMs, onError }),
      ]
    },
    endStreams() {
      for (const stream of streams.all()) stream.end()
    },
    async stop() {
      subscriber.stop()
      await Promise.all(repetitions.map((each) => each.stop()))
      await events.stop()
    },
  }
}
