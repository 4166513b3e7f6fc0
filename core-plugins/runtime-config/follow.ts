import { createMailbox, type Log } from '../../kernel/index.ts'
import type { RejectedValue, RuntimeSettings } from '../config/config.ts'
import type { Signals } from '../signals/signals.ts'
import type { ConfigStore } from './config-store.ts'

/** Keeps the settings of this process as the database has them. */
export interface Follower {
  /** Takes over what has changed, if anything has. */
  refresh(): Promise<void>
  /** Looks whether something has changed, regularly and at every signal; the answer ends that. */
  start(): () => Promise<void>
}

export interface FollowerParts {
  readonly store: ConfigStore
  readonly runtimeSettings: RuntimeSettings
  readonly signals: Signals | undefined
  readonly log: Log
}

export const changedTopic = 'config'

/** Others must hear of a change within two seconds, the time of the query included. */
const everyMs = 1_000

/** Signals tell at once; this is for those that get lost. */
const everyWithSignalsMs = 9_000

/** Makes a follower that has read nothing yet. */
export function createFollower({ store, runtimeSettings, signals, log }: FollowerParts): Follower {
  // One after the other, so that what was read first never replaces what was read later.
  const reading = createMailbox()
  const report = createReport(log)
  let known: number | undefined
  let checkedAtMs = 0
  let isFailing = false

  function refresh(): Promise<void> {
    return reading.run(async () => {
      checkedAtMs = performance.now()
      // Read before the rows: these are at least as new, and newer ones are found by the next look.
      const epoch = await store.readEpoch()
      if (epoch !== undefined && epoch === known) return
      const values = await store.read()
      report(runtimeSettings.replaceDatabaseLayer(Object.fromEntries(values)))
      known = epoch
    })
  }

  async function look(): Promise<void> {
    try {
      await refresh()
      isFailing = false
    } catch (error) {
      if (!isFailing) log.warn({ err: error }, 'cannot look whether settings have changed; trying again')
      isFailing = true
    }
  }

  function lookNowAndThen(): void {
    const isDue = performance.now() - checkedAtMs >= everyWithSignalsMs
    if (isDue || signals?.isConnected !== true) void look()
  }

  return {
    refresh,
    start() {
      const timer = setInterval(lookNowAndThen, everyMs)
      timer.unref()
      const stopListening = signals?.onSignal(changedTopic, () => void look())
      return () => {
        clearInterval(timer)
        stopListening?.()
        return reading.idle()
      }
    },
  }
}

/** Says once of each value why it is not taken: it may have been valid before an upgrade. */
function createReport(log: Log): (rejected: readonly RejectedValue[]) => void {
  let reported = new Map<string, string>()
  return (rejected) => {
    for (const { key, reason } of rejected) {
      if (reported.get(key) === reason) continue
      log.warn({ key, reason }, `the database holds a value for ${key} that is left out: ${reason}`)
    }
    reported = new Map(rejected.map(({ key, reason }) => [key, reason]))
  }
}
