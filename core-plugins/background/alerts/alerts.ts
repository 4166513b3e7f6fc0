import { type HookToken, hook, type ServiceToken, service } from '../../../kernel/index.ts'
import type { Alert, AlertSeverity } from './alert.ts'

export type { Alert, AlertSeverity, AlertStatus } from './alert.ts'

/** A condition that needs an operator's attention; see docs/operations.md. */
export interface NewAlert {
  /** snake_case: `backup_failure`, `webhook_disabled`, …; of the third-party plugin `shop`: `shop_<what>`. */
  readonly kind: string
  readonly severity: AlertSeverity
  /** One sentence: what happened, and what to do about it. */
  readonly message: string
  /** JSON, without secrets. */
  readonly details?: Readonly<Record<string, unknown>>
  /**
   * The subject, e.g. a webhook's id: a repeated alert of the same kind and subject increments a count instead of creating
   * another alert.
   */
  readonly subject?: string
}

/**
 * Raises alerts, and resolves them when their cause is gone. Not within a transaction: an alert outlives a
 * rollback.
 */
export interface Alerts {
  raise(alert: NewAlert): Promise<void>
  /** Resolves the unresolved alert of a kind and subject, if any. */
  resolve(kind: string, subject?: string): Promise<void>
}

/** Raises alerts for operators, and resolves them. */
export const alertsService: ServiceToken<Alerts> = service('alerts')

/**
 * An alert was raised in this process; `isNew` is false if an existing one was incremented. For plugins that
 * forward it.
 */
export const alertRaised: HookToken<{ readonly alert: Alert; readonly isNew: boolean }> =
  hook('alerts:raised')
