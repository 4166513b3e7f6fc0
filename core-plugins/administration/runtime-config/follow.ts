import { createMailbox, type Log } from '../../../kernel/index.ts'
import type { RejectedValue, RuntimeSettings } from '../../foundation/config/config.ts'
import type { Signals } from '../../foundation/signals/signals.ts'
import type { ConfigStore } from './config-store.ts'

/** Keeps the settings of this process in sync with the database. */
export interface Follower {
  /** Applies changes, if there are any. */
  refresh(): Promise<void>
  /** Checks for changes regularly and at every signal; returns a function that stops it. */
  start(): () => Promise<void>
}

export interface FollowerParts {
  readonly store: ConfigStore
  readonly runtimeSettings: RuntimeSettings
  readonly signals: Signals | undefined
  readonly log: Log
}

export const changedTopic = 'config'

/** Others must see a change within two seconds, including the time of the query. */
const everyMs = 1_000

/** Signals arrive at once; polling is for those that get lost. */
const everyWithSignalsMs = 9_000

/** Creates a follower that has read nothing yet. */
export function createFollower({ store, runtimeSettings, signals, log }: FollowerParts): Follower {
  // One after the other, so that older data never replaces newer data.
  const reading = createMailbox()
  const report = createReport(log)
  let known: number | undefined
  let checkedAtMs = 0
  let isFailing = false

  function refresh(): Promise<void> {
    return reading.run(async () => {
      checkedAtMs = performance.now()
      // Read before the rows: these are at least as new, and the next check finds newer ones.
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
      if (!isFailing) log.warn({ err: error }, 'cannot check whether settings have changed; retrying')
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

/** Logs once for each value why it is ignored: it may have been valid before an upgrade. */
function createReport(log: Log): (rejected: readonly RejectedValue[]) => void {
  let reported = new Map<string, string>()
  return (rejected) => {
    for (const { key, reason } of rejected) {
      if (reported.get(key) === reason) continue
      log.warn({ key, reason }, `the database holds a value for ${key} that is ignored: ${reason}`)
    }
    reported = new Map(rejected.map(({ key, reason }) => [key, reason]))
  }
}
