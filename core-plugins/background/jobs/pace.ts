import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '../../foundation/database/database.ts'

/** Work in the background, divided so that requests hardly wait for it. */
export interface Pace {
  /**
   * Does a portion of the work, and then pauses: hardly at all if the process is otherwise idle, up to ten times as long as the portion took if it
   * is busy or queries wait for a connection.
   * @param work is called with the most items that it may take; fewer than before if the last portion took too long
   */
  portion<T>(work: (items: number) => Promise<T>): Promise<T>
}

/** What a pace takes into account. */
export interface PaceOptions {
  /** Where requests may be waiting. */
  readonly database: Pick<Database, 'load'>
  /** The most items of a portion. */
  readonly most: number
}

/** How long a portion may keep the event loop, in milliseconds. A request that comes meanwhile waits for it. */
const portionMs = 6
/** Of the most items, at least one in so many is done at once; a run begins with that. */
const leastPart = 10
/** By how much the number of items may grow from one portion to the next. */
const mostGrowth = 1.5
/** Where the loop has other things to do all the time, for each millisecond of a portion. */
const mostPauseShare = 10
/** Below this part of the time, what the loop does is housekeeping. */
const idleShare = 0.02
const longestPauseMs = 1_000

/** How fast earlier pauses are forgotten: after about ten portions. */
const memory = 0.9

/** Create one for each run of a job: it learns how long its items take. */
export function createPace({ database, most }: PaceOptions): Pace {
  let items = Math.ceil(most / leastPart)
  const seen = { activeMs: 0, totalMs: 1 }

  /** The part of the time that others need, from 0 to 1: what the loop has to do while this work pauses. */
  function othersShare(): number {
    const isQueued = database.load().some(({ longestWaitMs }) => longestWaitMs > portionMs)
    const share = seen.activeMs / seen.totalMs
    return isQueued ? 1 : share < idleShare ? 0 : share
  }

  async function pause(ms: number): Promise<void> {
    const before = performance.eventLoopUtilization()
    await delay(ms)
    const { active, idle } = performance.eventLoopUtilization(before)
    seen.activeMs = seen.activeMs * memory + active
    seen.totalMs = seen.totalMs * memory + active + idle
  }

  return {
    async portion(work) {
      const before = performance.eventLoopUtilization()
      const startedAt = performance.now()
      const result = await work(items)
      const tookMs = performance.now() - startedAt
      const { active: loopMs } = performance.eventLoopUtilization(before)
      items = nextItems(items, loopMs, most)
      await pause(Math.min(longestPauseMs, 1 + tookMs * mostPauseShare * othersShare()))
      return result
    },
  }
}

function nextItems(items: number, loopMs: number, most: number): number {
  const fitting = items * Math.min(mostGrowth, portionMs / Math.max(loopMs, 0.1))
  // Other requests take part of the time of a portion that waits for the database, and each portion has its own commit.
  return Math.min(most, Math.max(Math.ceil(most / leastPart), Math.round(fitting)))
}
