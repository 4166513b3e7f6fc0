import { createMailbox, type Log } from '../../../kernel/index.ts'
import type { Signals } from '../../foundation/signals/signals.ts'
import { type EventLog, type LoggedEvent, maxRead } from './event-log.ts'
import type { LiveEvent } from './panel-events.ts'

export const changedTopic = 'live-events'

/** Reads the events written by the publishers of all processes, and delivers each once. */
export interface Subscriber {
  /** Resolves once all later events will be delivered. */
  subscribe(): Promise<void>
  stop(): void
  /** Reads immediately. */
  poll(): void
  /** The events of the last seconds, oldest first. */
  recent(): readonly LiveEvent[]
}

export interface SubscriberParts {
  readonly log: EventLog
  readonly signals: Signals | undefined
  /** Whether there are receivers. */
  readonly isWanted: () => boolean
  readonly deliver: (events: readonly LiveEvent[]) => Promise<void>
  /** Called when too many events have occurred to deliver one by one, or reading failed for a while. */
  readonly onGap: () => void
  readonly logger: Log
}

/** The polling interval without signals. */
const everyMs = 800
/** The polling interval with signals, which arrive immediately but can get lost. */
const everyWithSignalsMs = 5_000

/** Ids are assigned before the commit, so rows with lower ids may appear for some time. */
const appearsWithinMs = 15_000
/** A failure this long may have lost events, which are kept for minutes only. */
const gapAfterMs = 60_000

export function createSubscriber(parts: SubscriberParts): Subscriber {
  const { log, signals, isWanted, deliver, onGap, logger } = parts
  const reading = createMailbox()
  /** By id, with the time at which it was seen. */
  const seen = new Map<number, { readonly row: LoggedEvent; readonly atMs: number }>()
  let horizon = 0
  let timer: NodeJS.Timeout | undefined
  let removeListener: (() => void) | undefined
  let readAtMs = 0
  let isFailing = false

  function forgetOld(): void {
    const beforeMs = performance.now() - appearsWithinMs
    for (const [id, { atMs }] of seen) {
      if (atMs > beforeMs) continue
      seen.delete(id)
      horizon = Math.max(horizon, id)
    }
  }

  async function read(): Promise<void> {
    forgetOld()
    const rows = await log.after(horizon)
    const now = performance.now()
    const isGap = rows.length === maxRead || now - readAtMs > gapAfterMs
    readAtMs = now
    const fresh = rows.filter(({ id }) => !seen.has(id))
    for (const row of fresh) seen.set(row.id, { row, atMs: now })
    if (isGap) {
      horizon = await log.newest()
      seen.clear()
      onGap()
    } else if (fresh.length > 0) await deliver(fresh.map(({ event }) => event))
  }

  async function poll(): Promise<void> {
    if (timer === undefined || !isWanted()) return
    try {
      await reading.run(read)
      isFailing = false
    } catch (error) {
      if (!isFailing) logger.warn({ err: error }, 'cannot read what has changed; retrying')
      isFailing = true
    }
  }

  function pollIfDue(): void {
    const isDue = performance.now() - readAtMs >= everyWithSignalsMs
    if (isDue || signals?.isConnected !== true) void poll()
  }

  async function begin(): Promise<void> {
    horizon = Math.max(0, (await log.newest()) - maxRead / 2)
    const now = performance.now()
    for (const row of await log.after(horizon)) seen.set(row.id, { row, atMs: now })
    readAtMs = now
    removeListener = signals?.onSignal(changedTopic, () => void poll())
    timer = setInterval(pollIfDue, everyMs)
    timer.unref()
  }

  return {
    subscribe: () => reading.run(() => (timer === undefined ? begin() : read())),
    stop() {
      clearInterval(timer)
      removeListener?.()
      timer = undefined
    },
    poll: () => void poll(),
    recent() {
      const from = new Date(Date.now() - appearsWithinMs).toISOString()
      const rows = [...seen.values()].map(({ row }) => row).filter(({ at }) => at > from)
      return rows.sort((left, right) => left.id - right.id).map(({ event }) => event)
    },
  }
}
