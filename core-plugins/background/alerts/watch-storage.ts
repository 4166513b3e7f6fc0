import { hostname } from 'node:os'
import { resolve } from 'node:path'
import { type Log, repeat } from '../../../kernel/index.ts'
import { type Config, dataDir } from '../../foundation/config/config.ts'
import type { MetricSource } from '../../foundation/metrics/metrics.ts'
import type { Alerts } from './alerts.ts'
import { freeSpaceOf } from './free-space.ts'
import { minFreeBytes } from './settings.ts'

const everyMs = 5 * 60_000

/**
 * The factor by which free space must exceed the limit before the alert is resolved, so that small changes around the limit raise
 * no alerts.
 */
const clearance = 1.1

/**
 * Checks the free space of the data directory now, periodically and when the setting changes; call the returned function to stop.
 */
export function watchStorage(alerts: Alerts, config: Config, log: Log): () => Promise<void> {
  const directory = directoryOf(config)
  const looking = repeat(() => checkStorage(alerts, directory, config.get(minFreeBytes)), {
    everyMs,
    onError: (error) =>
      log.warn({ err: error, directory }, 'the free space of the data directory is not known'),
  })
  looking.runNow()
  const stopFollowing = config.onChange(minFreeBytes, looking.runNow)
  return () => {
    stopFollowing()
    return looking.stop()
  }
}

/** The free space, for monitoring. */
export const storageMetric = (config: Config): MetricSource => ({
  name: 'mortise_storage_free_bytes',
  help: 'Free space on the disk of the data directory',
  scope: 'service',
  read: async () => [{ value: await freeSpaceOf(directoryOf(config)) }],
})

const directoryOf = (config: Config) => resolve(config.workingDirectory, config.get(dataDir))

async function checkStorage(alerts: Alerts, directory: string, least: number): Promise<void> {
  const freeBytes = least === 0 ? Number.POSITIVE_INFINITY : await freeSpaceOf(directory)
  // Other processes may have their data on other hosts.
  const subject = `${hostname()}:${directory}`
  if (freeBytes >= least * clearance) return alerts.resolve(kind, subject)
  if (freeBytes >= least) return
  await alerts.raise({
    kind,
    subject,
    severity: 'critical',
    message: `${inMebibytes(freeBytes)} are free on the disk of the data directory: make room before it is full`,
    details: { host: hostname(), directory, freeBytes, minFreeBytes: least },
  })
}

const kind = 'storage_low'

function inMebibytes(bytes: number): string {
  return `${Math.floor(bytes / 1024 / 1024)} MiB`
}
