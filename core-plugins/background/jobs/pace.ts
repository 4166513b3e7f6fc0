import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '../../foundation/database/database.ts'

/** Divides background work into portions so that requests hardly wait for it. */
export interface Pace {
  /**
   * Runs a portion of the work and then pauses: hardly at all if the process is otherwise idle, up to ten times as long as the
   * portion took if it is busy or queries wait for a connection.
   * @param work is called with the maximum number of items to process; fewer than before if the last portion took too long
   */
  portion<T>(work: (items: number) => Promise<T>): Promise<T>
}

/** The options of a pace. */
export interface PaceOptions {
  /** The database whose waiting queries are taken into account. */
  readonly database: Pick<Database, 'load'>
  /** The maximum number of items per portion. */
  readonly most: number
}

/** How long a portion may block the event loop, in milliseconds. Requests that arrive meanwhile wait for it. */
const portionMs = 6
/** The divisor for the minimum portion: at least this fraction of the maximum is processed, and a run begins with that. */
const leastPart = 10
/** By how much the number of items may grow from one portion to the next. */
const mostGrowth = 1.5
/** The maximum pause per millisecond of a portion, if the event loop is always busy. */
const mostPauseShare = 10
/** Below this share of busy time, the process counts as idle. */
const idleShare = 0.02
const longestPauseMs = 1_000

/** The weight of earlier pauses: they are forgotten after about ten portions. */
const memory = 0.9

/** Create one for each run of a job: it learns how long its items take. */
export function createPace({ database, most }: PaceOptions): Pace {
  let items = Math.ceil(most / leastPart)
  const seen = { activeMs: 0, totalMs: 1 }

  /** The share of time that other work needs, from 0 to 1: how busy the event loop is during pauses. */
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
  // Other requests take some of the time of a portion that waits for the database, and each portion has its own commit.
  return Math.min(most, Math.max(Math.ceil(most / leastPart), Math.round(fitting)))
}
