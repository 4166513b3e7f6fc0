import { createMailbox, type Log } from '../../../kernel/index.ts'
import type { Signals } from '../../foundation/signals/signals.ts'
import type { ChangeFollower, ChangeLog, ChangePage, Following } from './changes.ts'
import type { Sequencer } from './sequencer.ts'
import type { Tail } from './tail.ts'

export interface FollowingParts {
  readonly tail: Pick<Tail, 'onApplied' | 'freshen'>
  readonly sequencer: Pick<Sequencer, 'run'>
  readonly after: (position: number, limit: number) => Promise<ChangePage | undefined>
  readonly head: () => Promise<number>
  readonly signals: Signals | undefined
  readonly log: Log
}

/** Changes that follow within this time are delivered together; the first change after a pause at once. */
const gatherMs = 100
const pageSize = 1_000

/** How often the log is checked without signals, and with signals, which may get lost. */
const everyMs = 800
const everyWithSignalsMs = 5_000

/** Reads the log for all followers of this process, as long as there are any. */
export function createFollowing(parts: FollowingParts): ChangeLog['follow'] & { stop(): void } {
  const { tail, log } = parts
  const reading = createMailbox()
  const followers = new Set<ChangeFollower>()
  let position = 0
  let isFailing = false
  const gathering = createGathering(() => void readWatched())
  let stopWatching: (() => void) | undefined

  async function read(): Promise<void> {
    // Numbers what is committed by now, so that no change waits for the next one to be delivered.
    await parts.sequencer.run()
    for (;;) {
      const page = await parts.after(position, pageSize)
      if (page === undefined) return skipTo(await parts.head())
      if (page.changes.length === 0) return
      position = page.position
      await Promise.all([...followers].map((follower) => tell(follower, page)))
    }
  }

  function skipTo(head: number): void {
    position = head
    for (const follower of followers) follower.skipped(head)
  }

  async function tell(follower: ChangeFollower, page: ChangePage): Promise<void> {
    try {
      await follower.changed(page.changes, page.position)
    } catch (error) {
      log.error({ err: error }, 'what follows the changes failed')
      follower.skipped(page.position)
    }
  }

  async function readWatched(): Promise<void> {
    try {
      await reading.run(read)
      isFailing = false
    } catch (error) {
      if (!isFailing) log.warn({ err: error }, 'the log of changes cannot be read; retrying')
      isFailing = true
    }
  }

  function look(): void {
    if (isFailing) gathering.readSoon()
    const maxAgeMs = parts.signals?.isConnected === true ? everyWithSignalsMs : everyMs
    // The next check makes up for a failure.
    Promise.resolve(tail.freshen(maxAgeMs)).catch(() => undefined)
  }

  async function watch(): Promise<void> {
    const stopListening = tail.onApplied(gathering.readSoon)
    const timer = setInterval(look, everyMs).unref()
    stopWatching = () => {
      stopListening()
      clearInterval(timer)
      gathering.stop()
      stopWatching = undefined
    }
    try {
      position = await parts.head()
    } catch (error) {
      stopWatching()
      throw error
    }
  }

  function leave(follower: ChangeFollower): void {
    followers.delete(follower)
    if (followers.size === 0) stopWatching?.()
  }

  async function follow(follower: ChangeFollower): Promise<Following> {
    return reading.run(async () => {
      if (stopWatching === undefined) await watch()
      else await read()
      followers.add(follower)
      return { position, catchUp: () => reading.run(read), stop: () => leave(follower) }
    })
  }

  return Object.assign(follow, { stop: () => stopWatching?.() })
}

/** Calls `read` at once after a pause, and otherwise at the interval at which changes are delivered together. */
function createGathering(read: () => void) {
  let timer: NodeJS.Timeout | undefined
  let readAtMs = Number.NEGATIVE_INFINITY

  function readNow(): void {
    timer = undefined
    readAtMs = performance.now()
    read()
  }

  return {
    readSoon: () => {
      timer ??= setTimeout(readNow, Math.max(0, readAtMs + gatherMs - performance.now()))
    },
    stop: () => {
      clearTimeout(timer)
      timer = undefined
    },
  }
}
