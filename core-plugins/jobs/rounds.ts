import { type Log, type Repetition, repeat } from '../../kernel/index.ts'
import type { Config } from '../config/config.ts'
import { leaseMs, retentionDays } from './settings.ts'
import type { Sweep } from './sweep.ts'

/** Tidies up now and then. */
export interface Rounds {
  start(): void
  /** Resolves when what is under way has ended. */
  stop(): Promise<void>
}

export interface RoundsOptions {
  readonly sweep: Sweep
  readonly config: Config
  readonly log: Log
  /** Told of each job that was ended, as it had no attempt left or was to be cancelled. */
  readonly onGivenUp: (id: number) => Promise<void>
  /** There may be jobs to run again. */
  readonly onReclaimed: () => void
}

const pruneEveryMs = 3_600_000
const longestReclaimIntervalMs = 10_000

export function createRounds({ sweep, config, log, onGivenUp, onReclaimed }: RoundsOptions): Rounds {
  const rounds: Repetition[] = []

  async function reclaim(): Promise<void> {
    const { waiting, ended } = await sweep.reclaim()
    if (waiting > 0) onReclaimed()
    for (const id of ended) await onGivenUp(id)
  }

  function regularly(everyMs: number, task: () => Promise<void>): void {
    const onError = (error: unknown) => log.warn({ err: error }, 'jobs could not be tidied up; trying again')
    const round = repeat(task, { everyMs, onError })
    round.runNow()
    rounds.push(round)
  }

  return {
    start() {
      regularly(Math.min(longestReclaimIntervalMs, config.get(leaseMs) / 3), reclaim)
      regularly(pruneEveryMs, () => sweep.prune(config.get(retentionDays)))
    },
    async stop() {
      await Promise.all(rounds.map((round) => round.stop()))
    },
  }
}
