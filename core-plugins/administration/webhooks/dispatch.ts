import { v7 as uuidv7 } from 'uuid'
import type { JobKind, Jobs } from '../../background/jobs/jobs.ts'
import type { Config } from '../../foundation/config/config.ts'
import type { Transaction } from '../../foundation/database/database.ts'
import type { DeliveryOrigin } from './delivery.ts'
import type { DeliveryJob } from './delivery-job.ts'
import type { DeliveryStore, NewDelivery } from './delivery-store.ts'
import { retryDelays } from './settings.ts'
import type { Payload } from './tables.ts'

/** A webhook that receives a payload. */
export interface Recipient {
  readonly webhookId: number
  readonly event: string
  /** The receiver's host. */
  readonly host: string
}

export interface DispatchRequest {
  readonly payload: Payload
  readonly recipients: readonly Recipient[]
  readonly origin: DeliveryOrigin
}

/** Writes deliveries and the jobs that send them, with few statements; returns the uids of the deliveries. */
export type Dispatch = (tx: Transaction, requests: readonly DispatchRequest[]) => Promise<string[]>

/**
 * Added to the attempts that the delivery itself counts: a job that is restarted after its process was killed or stopped has
 * not made an attempt.
 */
const spareStarts = 20
const maxLaneLength = 255

export function createDispatch(
  jobs: Jobs,
  kind: JobKind<DeliveryJob>,
  { config, deliveries }: { readonly config: Config; readonly deliveries: DeliveryStore },
): Dispatch {
  return async (tx, requests) => {
    const maxAttempts = config.get(retryDelays).length + 1 + spareStarts
    const made = requests.flatMap(({ payload, recipients, origin }) =>
      recipients.map((recipient) => ({ payload, recipient, origin, uid: uuidv7() })),
    )
    const rows = made.map(({ payload, recipient, origin, uid }): NewDelivery => {
      const { id: payloadId, createdAt } = payload
      return { uid, webhookId: recipient.webhookId, payloadId, event: recipient.event, origin, createdAt }
    })
    const newJobs = made.map(({ payload, recipient, uid }) => ({
      payload: { delivery: uid },
      // In order per webhook and entry.
      mailbox: `webhook:${recipient.webhookId}:${payload.contentType}:${payload.entryId}`,
      lane: recipient.host.slice(0, maxLaneLength),
      maxAttempts,
    }))
    deliveries.addPayloads(
      requests.map(({ payload }) => payload),
      tx,
    )
    deliveries.add(rows, tx)
    await jobs.enqueueMany(tx, kind, newJobs)
    return rows.map(({ uid }) => uid)
  }
}
