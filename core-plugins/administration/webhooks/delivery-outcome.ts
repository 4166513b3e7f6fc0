import type { Config } from '../../foundation/config/config.ts'
import type { Database, Transaction } from '../../foundation/database/database.ts'
import type { Attempt, Message } from '../../foundation/outgoing/outgoing.ts'
import type { DeliveryStatus } from './delivery.ts'
import type { DeliveryState, DeliveryStore, OpenDelivery } from './delivery-store.ts'
import { shownHeaders } from './header-rules.ts'
import { maxConsecutiveFailures } from './settings.ts'
import type { Webhook } from './tables.ts'
import type { WebhookStore } from './webhook-store.ts'

export interface Outcome {
  readonly delivery: OpenDelivery
  readonly message: Message
  readonly attempt: Attempt
  /** Whether no further attempt follows. */
  readonly isLast: boolean
}

/** Records the outcomes of attempts, and the resulting health of webhooks. */
export interface DeliveryOutcomes {
  /** @returns the new status of the delivery */
  record(outcome: Outcome): Promise<DeliveryStatus>
}

export interface OutcomesOptions {
  readonly config: Config
  readonly database: Database
  readonly deliveries: DeliveryStore
  readonly webhooks: WebhookStore
  /** Called when a webhook was disabled because of failures, within the transaction, which may still be rolled back. */
  onDisabled(tx: Transaction, webhook: Webhook): Promise<void>
}

/** The minimum interval between updates of a webhook's row that change only the time. */
const noteEveryMs = 1000

export function createDeliveryOutcomes(options: OutcomesOptions): DeliveryOutcomes {
  const { config, database, deliveries, webhooks, onDisabled } = options

  /** Skips most updates, since deliveries of one webhook would wait for each other to write its row. */
  async function noteHealth(delivery: OpenDelivery, status: DeliveryStatus): Promise<void> {
    const now = new Date().toISOString()
    const { webhookId, lastStatus, lastDeliveryAt, consecutiveFailures } = delivery
    const isRecent = Date.parse(now) - Date.parse(lastDeliveryAt ?? '') < noteEveryMs
    if (status === 'delivered' && consecutiveFailures > 0) return webhooks.noteSuccess(webhookId, now)
    if (isRecent && status === lastStatus) return
    await webhooks.noteDelivery(webhookId, status, now)
  }

  function recordDead({ uid, webhookId, origin }: OpenDelivery, state: DeliveryState): Promise<void> {
    return database.transaction(async (tx) => {
      if (!(await deliveries.advance(uid, state, tx))) return
      const now = new Date().toISOString()
      if (origin === 'test') return webhooks.noteDelivery(webhookId, 'dead', now, tx)
      await webhooks.countFailure(webhookId, now, tx)
      await disableIfHopeless(webhookId, now, tx)
    })
  }

  async function disableIfHopeless(webhookId: number, now: string, tx: Transaction): Promise<void> {
    const webhook = await webhooks.lock(webhookId, tx)
    if (webhook === undefined || !webhook.enabled) return
    if (webhook.consecutiveFailures < config.get(maxConsecutiveFailures)) return
    const disabled = { ...webhook, enabled: false, updatedAt: now }
    await webhooks.update(disabled, tx)
    await onDisabled(tx, disabled)
  }

  return {
    async record(outcome) {
      const { delivery } = outcome
      const status = statusOf(outcome)
      const state = stateOf(outcome, status)
      if (status === 'dead') {
        await recordDead(delivery, state)
      } else {
        await deliveries.advance(delivery.uid, state)
        await noteHealth(delivery, status)
      }
      return status
    },
  }
}

function statusOf({ attempt, isLast }: Outcome): DeliveryStatus {
  if (attempt.error === null) return 'delivered'
  return isLast ? 'dead' : 'retrying'
}

function stateOf({ delivery, message, attempt }: Outcome, status: DeliveryStatus): DeliveryState {
  const { statusCode, responseTimeMs, responseHeaders, error } = attempt
  return {
    status,
    attempt: delivery.attempt + 1,
    statusCode,
    responseTime: responseTimeMs,
    requestHeaders: shownHeaders(message.headers),
    responseHeaders: responseHeaders === null ? null : shownHeaders(responseHeaders),
    error,
  }
}
