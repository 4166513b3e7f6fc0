import type { Log } from '../../../kernel/index.ts'
import type { Planner } from './planner.ts'

/** Checks periodically for due schedules; any number of processes may do so. */
export interface Clock {
  start(): void
  stop(): void
}

/** The maximum time until a change by another process is noticed. */
const longestSleepMs = 1_000

export function createClock(planner: Planner, log: Log): Clock {
  let timer: NodeJS.Timeout | undefined
  let isStopped = false

  async function tick(): Promise<void> {
    let sleepMs = longestSleepMs
    try {
      const next = await planner.runDue()
      if (next !== undefined) sleepMs = Math.min(longestSleepMs, Math.max(0, Date.parse(next) - Date.now()))
    } catch (error) {
      log.warn({ err: error }, 'scheduled jobs could not be looked at; trying again')
    }
    if (!isStopped) timer = setTimeout(tick, sleepMs)
  }

  return {
    start: () => void tick(),
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}
