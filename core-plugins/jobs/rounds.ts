import type { Log } from '../../kernel/index.ts'
import type { Config } from '../config/config.ts'
import { leaseMs, retentionDays } from './settings.ts'
import type { Sweep } from './sweep.ts'

/** Tidies up now and then. */
export interface Rounds {
  start(): void
  stop(): void
}

export interface RoundsOptions {
  readonly sweep: Sweep
  readonly config: Config
  readonly log: Log
  /** Told of each job that had no attempt left. */
  readonly onGivenUp: (id: number) => Promise<void>
  /** There may be jobs to run again. */
  readonly onReclaimed: () => void
}

const pruneEveryMs = 3_600_000
const longestReclaimIntervalMs = 10_000

export function createRounds({ sweep, config, log, onGivenUp, onReclaimed }: RoundsOptions): Rounds {
  const timers = new Set<NodeJS.Timeout>()

  async function reclaim(): Promise<void> {
    const { waiting, failed } = await sweep.reclaim()
    if (waiting > 0) onReclaimed()
    for (const id of failed) await onGivenUp(id)
  }

  function regularly(everyMs: number, task: () => Promise<void>): void {
    const run = () =>
      task().catch((error) => log.warn({ err: error }, 'jobs could not be tidied up; trying again'))
    void run()
    const timer = setInterval(run, everyMs)
    timer.unref()
    timers.add(timer)
  }

  return {
    start() {
      regularly(Math.min(longestReclaimIntervalMs, config.get(leaseMs) / 3), reclaim)
      regularly(pruneEveryMs, () => sweep.prune(config.get(retentionDays)))
    },
    stop() {
      for (const timer of timers) clearInterval(timer)
    },
  }
}
