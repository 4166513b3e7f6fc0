import { type Log, type Repetition, repeat } from '../../../kernel/index.ts'
import type { Config } from '../../foundation/config/config.ts'
import type { ChangeStore, OldChange } from './change-store.ts'
import { maxRows, retentionDays } from './settings.ts'

const everyMs = 10 * 60_000
const dayMs = 86_400_000
const portion = 1_000

/** Which changes to keep. */
export interface Retention {
  /** Changes since this time (ISO 8601) ... */
  readonly from: string
  /** ... but at most about this many: positions may skip numbers. */
  readonly maxRows: number
}

/** Deletes changes that are older than the settings allow. */
export function pruneRegularly(store: ChangeStore, config: Config, log: Log): Repetition {
  const retention = () => ({
    from: new Date(Date.now() - config.get(retentionDays) * dayMs).toISOString(),
    maxRows: config.get(maxRows),
  })
  return repeat((signal) => prune(store, retention(), signal), {
    everyMs,
    onError: (error) => log.warn({ err: error }, 'old changes could not be deleted; trying again'),
  })
}

/**
 * Works from the start of the log, so that no index by time is needed. Raises the floor first, so that no reader continues across
 * a gap.
 */
export async function prune(
  store: Pick<ChangeStore, 'newestPosition' | 'oldest' | 'raiseFloor' | 'remove'>,
  retention: Retention,
  signal: AbortSignal,
): Promise<void> {
  // The newest change stays: otherwise, if ids serve as positions, an idle log would seem to start over.
  const newest = await store.newestPosition()
  const isKept = ({ position, at }: OldChange) =>
    position >= newest || (at >= retention.from && position > newest - retention.maxRows)
  while (!signal.aborted) {
    const oldest = await store.oldest(portion)
    const end = oldest.findIndex(isKept)
    const outdated = end === -1 ? oldest : oldest.slice(0, end)
    const last = outdated.at(-1)
    if (last === undefined) return
    await store.raiseFloor(last.position)
    await store.remove(outdated)
    if (outdated.length < portion) return
  }
}
