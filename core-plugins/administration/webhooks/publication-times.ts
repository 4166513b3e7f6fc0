import { createHash } from 'node:crypto'
import { Type } from 'typebox'
import { defineJob, type JobContext, type JobKind, type Jobs } from '../../background/jobs/jobs.ts'
import type { Content, Entry } from '../../entries/content/content.ts'
import type { Database, Transaction } from '../../foundation/database/database.ts'
import type { Principal } from '../../foundation/http/http.ts'
import type { DeliveryStore } from './delivery-store.ts'
import type { Dispatch } from './dispatch.ts'
import type { Subscriptions } from './subscriptions.ts'

/** An entry with a publication time in the future. */
interface Publication {
  readonly contentType: string
  readonly entryId: number
  readonly publishedAt: string
}

/** Announces a `published_at` in the future when that time comes; see docs/webhooks.md. */
export interface PublicationTimes {
  /** To be called in the transaction that sets the time. */
  expect(tx: Transaction, contentType: string, entry: Entry): Promise<void>
}

export interface PublicationOptions {
  readonly database: Database
  /** Undefined without content types. */
  readonly content: Content | undefined
  readonly subscriptions: Subscriptions
  readonly deliveries: DeliveryStore
  readonly dispatch: Dispatch
}

const everything: Principal = { kind: 'token', id: 0, name: 'webhooks', scopes: new Set(['admin:*']) }

/** The job that runs at that time. It is enqueued with the change, so that neither a crash nor a pause loses it. */
export function createPublicationJob(options: PublicationOptions): JobKind<Publication> {
  const { database, content, subscriptions, deliveries, dispatch } = options

  async function run({ contentType, entryId, publishedAt }: Publication, { job }: JobContext) {
    const recipients = await subscriptions.subscribersOf(['entry.preview.invalidate'], contentType)
    if (recipients.length === 0) return { told: 0 }
    const found = await content?.find(contentType, entryId, '', everything)
    // The entry was unpublished, deleted or postponed since; that change was reported separately.
    if (found?.entry.published_at !== publishedAt) return { told: 0 }
    const id = payloadIdOf(job.id, job.createdAt)
    const data = JSON.stringify({ contentType, entry: found.entry, actor: null })
    return database.transaction(async (tx) => {
      if (await deliveries.hasPayload(id, tx)) return { told: 0 }
      const createdAt = new Date().toISOString()
      const payload = { id, contentType, entryId, data, occurredAt: publishedAt, createdAt }
      await dispatch(tx, [{ payload, recipients, origin: 'change' }])
      return { told: recipients.length }
    })
  }

  return defineJob({
    name: 'webhooks.tellPublication',
    payload: Type.Object({
      contentType: Type.String(),
      entryId: Type.Integer(),
      publishedAt: Type.String(),
    }),
    run,
  })
}

export function createPublicationTimes(jobs: Jobs, kind: JobKind<Publication>): PublicationTimes {
  return {
    async expect(tx, contentType, entry) {
      const publishedAt = String(entry.published_at)
      await jobs.enqueue(tx, kind, { contentType, entryId: entry.id, publishedAt }, { runAt: publishedAt })
    },
  }
}

// The same id in each run, so that a repeated job finds its earlier payload.
function payloadIdOf(jobId: number, createdAt: string): string {
  return createHash('sha256').update(`publication ${jobId} ${createdAt}`).digest('hex').slice(0, 36)
}
