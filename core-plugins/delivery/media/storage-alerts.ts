import { hostname } from 'node:os'
import type { Alerts } from '../../background/alerts/alerts.ts'
import { type StorageFailure, storageFaults } from './storage-failure.ts'

/** Tells operators that the storage of files does not work, and that it does again. */
export interface StorageAlerts {
  /** The storage of files does not work. */
  failed(failure: StorageFailure): Promise<void>
  /** It was tried out and works: after a start, or after it failed. */
  working(): Promise<void>
}

const maxErrorLength = 1_000

/** Tells nobody without `alerts`. */
export function createStorageAlerts(alerts: Alerts | undefined): StorageAlerts {
  /** The fault that was told last, while it lasts. */
  let told: string | undefined

  /** Those that this process has raised, and those that others have left. */
  async function resolveFaults(except?: string): Promise<void> {
    for (const fault of storageFaults) if (fault !== except) await alerts?.resolve('storage_failed', fault)
    told = except
  }

  return {
    async failed({ fault, explanation, cause }) {
      if (fault !== told) await resolveFaults(fault)
      // Without the host: it may have another name after the start that mends a setting.
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
