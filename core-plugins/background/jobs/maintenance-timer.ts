import { type Log, type Repetition, repeat } from '../../../kernel/index.ts'
import type { Config } from '../../foundation/config/config.ts'
import type { Maintenance } from './maintenance.ts'
import { leaseMs, retentionDays } from './settings.ts'

/** Runs maintenance periodically. */
export interface MaintenanceTimer {
  start(): void
  /** Resolves when a run in progress has ended. */
  stop(): Promise<void>
}

export interface MaintenanceTimerOptions {
  readonly maintenance: Maintenance
  readonly config: Config
  readonly log: Log
  /** Called for each job that was ended, because it had no attempts left or was to be cancelled. */
  readonly onGivenUp: (id: number) => Promise<void>
  /** Jobs may have become available. */
  readonly onReclaimed: () => void
}

const pruneEveryMs = 3_600_000
const longestReclaimIntervalMs = 10_000

export function createMaintenanceTimer({
  maintenance,
  config,
  log,
  onGivenUp,
  onReclaimed,
}: MaintenanceTimerOptions): MaintenanceTimer {
  const tasks: Repetition[] = []

  async function reclaim(): Promise<void> {
    const { waiting, ended } = await maintenance.reclaim()
    if (waiting > 0) onReclaimed()
    for (const id of ended) await onGivenUp(id)
  }

  function regularly(everyMs: number, task: () => Promise<void>): void {
    const onError = (error: unknown) => log.warn({ err: error }, 'jobs could not be tidied up; trying again')
    const repetition = repeat(task, { everyMs, onError })
    repetition.runNow()
    tasks.push(repetition)
  }

  return {
    start() {
      regularly(Math.min(longestReclaimIntervalMs, config.get(leaseMs) / 3), reclaim)
      regularly(pruneEveryMs, () => maintenance.prune(config.get(retentionDays)))
    },
    async stop() {
      await Promise.all(tasks.map((repetition) => repetition.stop()))
    },
  }
}
