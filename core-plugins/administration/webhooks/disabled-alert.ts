import { Type } from 'typebox'
import type { Alerts } from '../../background/alerts/alerts.ts'
import { defineJob, type JobKind } from '../../background/jobs/jobs.ts'

/** The kind of alert; see docs/webhooks.md. */
export const disabledAlert = 'webhook_disabled'

export interface DisabledWebhook {
  readonly webhookId: number
  readonly name: string
  readonly failures: number
}

/** Raises the alert after the transaction that disabled the webhook, even if the process dies in between. */
export function createAlertJob(alerts: Alerts | undefined): JobKind<DisabledWebhook> {
  return defineJob({
    name: 'webhooks.alertDisabled',
    payload: Type.Object({ webhookId: Type.Integer(), name: Type.String(), failures: Type.Integer() }),
    async run({ webhookId, name, failures }) {
      await alerts?.raise({
        kind: disabledAlert,
        severity: 'warning',
        subject: String(webhookId),
        message:
          `The webhook "${name}" was disabled after ${failures} failed deliveries in a row; ` +
          'mend the receiver, then reset its health and replay the dead deliveries',
        details: { webhookId, name, failures },
      })
    },
  })
}
