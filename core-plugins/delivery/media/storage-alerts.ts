import { hostname } from 'node:os'
import type { Alerts } from '../../background/alerts/alerts.ts'
import { type StorageFailure, storageFaults } from './storage-failure.ts'

/** Alerts operators when the storage of files fails, and resolves the alert when it works again. */
export interface StorageAlerts {
  /** The storage of files does not work. */
  failed(failure: StorageFailure): Promise<void>
  /** A trial succeeded, after a start or a failure. */
  working(): Promise<void>
}

const maxErrorLength = 1_000

/** Does nothing without `alerts`. */
export function createStorageAlerts(alerts: Alerts | undefined): StorageAlerts {
  /** The fault of the last alert, while it lasts. */
  let told: string | undefined

  /** Resolves alerts of this process and those that earlier processes have left. */
  async function resolveFaults(except?: string): Promise<void> {
    for (const fault of storageFaults) if (fault !== except) await alerts?.resolve('storage_failed', fault)
    told = except
  }

  return {
    async failed({ fault, explanation, cause }) {
      if (fault !== told) await resolveFaults(fault)
      // Without the host name, which may differ after a restart that corrects a setting.
      await alerts?.raise({
        kind: 'storage_failed',
        subject: fault,
        severity: 'critical',
        message: `the storage of files does not work: ${explanation}`,
        details: { host: hostname(), fault, error: cause === undefined ? null : messageOf(cause) },
      })
    },
    working: () => resolveFaults(),
  }
}

const messageOf = (error: unknown) =>
  (error instanceof Error ? error.message : String(error)).slice(0, maxErrorLength)
