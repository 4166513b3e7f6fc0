import { type Log, type Repetition, repeat } from '../../../kernel/index.ts'
import type { Config } from '../../foundation/config/config.ts'
import type { ChangeStore, OldChange } from './change-store.ts'
import { maxRows, retentionDays } from './settings.ts'

const everyMs = 10 * 60_000
const dayMs = 86_400_000
const portion = 1_000

/** Which changes are kept. */
export interface Retention {
  /** Those since then (ISO 8601) ... */
  readonly from: string
  /** ... but not more than that, about: positions may skip numbers. */
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
 * Goes through the log from its beginning, so that no index by time is needed. The floor rises first, so that nobody reads
 * on over a gap.
 */
export async function prune(
  store: Pick<ChangeStore, 'newestPosition' | 'oldest' | 'raiseFloor' | 'remove'>,
  retention: Retention,
  signal: AbortSignal,
): Promise<void> {
  // It stays, or a log that nothing is added to would seem to begin anew where ids are positions.
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
