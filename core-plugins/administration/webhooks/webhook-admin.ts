import type { Alerts } from '../../background/alerts/alerts.ts'
import type { JobKind, Jobs } from '../../background/jobs/jobs.ts'
import type { Database, Transaction } from '../../foundation/database/database.ts'
import { AppError } from '../../foundation/http/http.ts'
import { disabledAlert } from './disabled-alert.ts'
import type { Webhook } from './tables.ts'
import type { WebhookFields, WebhookStore } from './webhook-store.ts'

/** The operations of administrators on webhooks. Changes apply in this process when the call resolves. */
export interface WebhookAdmin {
  /** @throws AppError 404 */
  get(id: number): Promise<Webhook>
  /** Part of the transaction if one is given, like `update`; then the change applies after the commit. */
  create(
    fields: WebhookFields,
    identity?: { readonly uuid: string; readonly tx: Transaction },
  ): Promise<Webhook>
  /** @throws AppError 404, or what `change` throws */
  update(
    id: number,
    change: (before: WebhookFields) => Promise<WebhookFields>,
    tx?: Transaction,
  ): Promise<Webhook>
  /** Also ends unfinished deliveries and deletes the log. @throws AppError 404 */
  remove(id: number, tx?: Transaction): Promise<Webhook>
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

  async function change<T>(
    id: number,
    work: (before: Webhook, tx: Transaction) => Promise<T>,
    open?: Transaction,
  ): Promise<T> {
    const within = async (tx: Transaction) => {
      const before = await webhooks.lock(id, tx)
      if (before === undefined) throw AppError.notFound('webhook')
      return work(before, tx)
    }
    if (open !== undefined) {
      open.afterCommit(onChanged)
      return within(open)
    }
    const result = await database.transaction(within)
    await onChanged()
    return result
  }

  async function save(webhook: Webhook, tx: Transaction): Promise<Webhook> {
    const changed = { ...webhook, updatedAt: new Date().toISOString() }
    await webhooks.update(changed, tx)
    return changed
  }

  const endAlert = (id: number, open?: Transaction) => {
    const end = () => alerts?.resolve(disabledAlert, String(id))
    return open === undefined ? end() : open.afterCommit(end)
  }

  return {
    async get(id) {
      const found = await webhooks.find(id)
      if (found === undefined) throw AppError.notFound('webhook')
      return found
    },
    async create(fields, identity) {
      const webhook = await webhooks.insert(fields, identity)
      if (identity === undefined) await onChanged()
      else identity.tx.afterCommit(onChanged)
      return webhook
    },
    async update(id, changeFields, open) {
      const work = async (before: Webhook, tx: Transaction) => {
        const after = { ...before, ...(await changeFields(before)) }
        // Otherwise the next failure would disable it again.
        const isEnabledAnew = after.enabled && !before.enabled
        return save(isEnabledAnew ? { ...after, consecutiveFailures: 0 } : after, tx)
      }
      const changed = await change(id, work, open)
      if (changed.enabled) await endAlert(id, open)
      return changed
    },
    async remove(id, open) {
      const work = async (before: Webhook, tx: Transaction) => {
        await webhooks.remove(id, tx)
        await jobs.enqueue(tx, forgetting, { webhookId: id })
        return before
      }
      const removed = await change(id, work, open)
      await endAlert(id, open)
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
