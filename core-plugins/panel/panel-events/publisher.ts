import { createMailbox, type Log } from '../../../kernel/index.ts'
import { condensed } from './condensed.ts'
import type { EventLog } from './event-log.ts'
import type { LiveEvent, LiveEvents } from './panel-events.ts'

export interface PublisherParts {
  readonly log: Pick<EventLog, 'append'>
  /** Called after events were written. */
  readonly onWritten: () => void
  readonly logger: Log
}

/** Writes come in bursts: after the first statement, at most one per interval is sent. */
const intervalMs = 200

/** The maximum number of waiting events, to limit memory if the database does not respond. */
const maxWaiting = 2_000

/** Stores events, many per statement. */
export function createPublisher({
  log,
  onWritten,
  logger,
}: PublisherParts): LiveEvents & { stop(): Promise<void> } {
  const writing = createMailbox()
  let waiting: LiveEvent[] = []
  let timer: NodeJS.Timeout | undefined
  let writtenAtMs = Number.NEGATIVE_INFINITY

  async function write(): Promise<void> {
    const events = condensed(waiting)
    waiting = []
    if (events.length === 0) return
    try {
      await log.append(events)
      onWritten()
    } catch (error) {
      logger.debug({ err: error }, 'what has changed could not be published to open panels')
    }
  }

  function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    writtenAtMs = performance.now()
    return writing.run(write)
  }

  return {
    publish(event) {
      if (waiting.length < maxWaiting) waiting.push(event)
      if (timer !== undefined) return
      const waitMs = Math.max(0, writtenAtMs + intervalMs - performance.now())
      timer = setTimeout(() => void flush(), waitMs)
    },
    stop: flush,
  }
}
