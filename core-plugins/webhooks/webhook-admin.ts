import type { Alerts } from '../alerts/alerts.ts'
import type { Database, Transaction } from '../database/database.ts'
import { AppError } from '../http/http.ts'
import type { JobKind, Jobs } from '../jobs/jobs.ts'
import { disabledAlert } from './disabled-alert.ts'
import type { Webhook } from './tables.ts'
import type { WebhookFields, WebhookStore } from './webhook-store.ts'

/** What administrators do with webhooks. Every change applies in this process when it resolves. */
export interface WebhookAdmin {
  /** @throws AppError 404 */
  get(id: number): Promise<Webhook>
  create(fields: WebhookFields): Promise<Webhook>
  /** @throws AppError 404, or what `change` throws */
  update(id: number, change: (before: WebhookFields) => Promise<WebhookFields>): Promise<Webhook>
  /** Ends deliveries under way and deletes their log, too. @throws AppError 404 */
  remove(id: number): Promise<Webhook>
  /** Resets failures and enables the webhook. @throws AppError 404 */
  resetHealth(id: number): Promise<Webhook>
}

export interface WebhookAdminOptions {
  readonly database: Database
  readonly webhooks: WebhookStore
  readonly jobs: Jobs
  /** Deletes the log of a deleted webhook. */
  readonly forgetting: JobKind<{ readonly webhookId: number }>
  readonly alerts: Alerts | undefined
  /** Notifies this process and the others of a change. */
  onChanged(): Promise<void>
}

export function createWebhookAdmin(options: WebhookAdminOptions): WebhookAdmin {
  const { database, webhooks, jobs, forgetting, alerts, onChanged } = options

  async function change<T>(id: number, work: (before: Webhook, tx: Transaction) => Promise<T>): Promise<T> {
    const result = await database.transaction(async (tx) => {
      const before = await webhooks.lock(id, tx)
      if (before === undefined) throw AppError.notFound('webhook')
      return work(before, tx)
    })
    await onChanged()
    return result
  }

  async function save(webhook: Webhook, tx: Transaction): Promise<Webhook> {
    const changed = { ...webhook, updatedAt: new Date().toISOString() }
    await webhooks.update(changed, tx)
    return changed
  }

  const endAlert = (id: number) => alerts?.resolve(disabledAlert, String(id))

  return {
    async get(id) {
      const found = await webhooks.find(id)
      if (found === undefined) throw AppError.notFound('webhook')
      return found
    },
    async create(fields) {
      const webhook = await webhooks.insert(fields)
      await onChanged()
      return webhook
    },
    async update(id, changeFields) {
      const changed = await change(id, async (before, tx) => {
        const after = { ...before, ...(await changeFields(before)) }
        // Otherwise the next failure would disable it again.
        const isEnabledAnew = after.enabled && !before.enabled
        return save(isEnabledAnew ? { ...after, consecutiveFailures: 0 } : after, tx)
      })
      if (changed.enabled) await endAlert(id)
      return changed
    },
    async remove(id) {
      const removed = await change(id, async (before, tx) => {
        await webhooks.remove(id, tx)
        await jobs.enqueue(tx, forgetting, { webhookId: id })
        return before
      })
      await endAlert(id)
      return removed
    },
    async resetHealth(id) {
      const changed = await change(id, (before, tx) =>
        save({ ...before, enabled: true, consecutiveFailures: 0 }, tx),
      )
      await endAlert(id)
      return changed
    },
  }
}
