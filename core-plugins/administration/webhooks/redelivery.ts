import { v7 as uuidv7 } from 'uuid'
import type { Config } from '../../foundation/config/config.ts'
import type { Database } from '../../foundation/database/database.ts'
import { AppError } from '../../foundation/http/http.ts'
import type { Sender } from '../../foundation/outgoing/outgoing.ts'
import type { DeliveryLog, LoggedDelivery } from './delivery-log.ts'
import type { DeliveryOutcomes } from './delivery-outcome.ts'
import type { DeliveryStore, OpenDelivery } from './delivery-store.ts'
import type { Dispatch } from './dispatch.ts'
import { messageOf } from './message.ts'
import { testType } from './receiving-rights.ts'
import { attemptTimeoutMs } from './settings.ts'
import type { Payload, Webhook } from './tables.ts'

/** Deliveries on request. They are sent regardless of the webhook's events, and even if it is disabled. */
export interface Redelivery {
  /** Delivers the payload of a dead delivery again, in a job. @throws AppError 404, 409 */
  replay(webhook: Webhook, logId: number): Promise<LoggedDelivery>
  /** Sends a sample once, now, and reports the result. */
  test(webhook: Webhook, actor: unknown): Promise<LoggedDelivery>
}

export interface RedeliveryOptions {
  readonly config: Config
  readonly database: Database
  readonly deliveries: DeliveryStore
  readonly log: DeliveryLog
  readonly outcomes: DeliveryOutcomes
  readonly dispatch: Dispatch
  readonly sender: Sender
}

const testEvent = 'webhook.test'

export function createRedelivery(options: RedeliveryOptions): Redelivery {
  const { config, database, deliveries, log, outcomes, dispatch, sender } = options

  async function logged(uid: string | undefined): Promise<LoggedDelivery> {
    const found = uid === undefined ? undefined : await log.findByUid(uid)
    if (found === undefined) throw AppError.notFound('delivery')
    return found
  }

  /** Creates the rows of a test before its only attempt is recorded. */
  async function addTest(payload: Payload, { uid, webhookId }: OpenDelivery): Promise<void> {
    const { id: payloadId, createdAt } = payload
    await database.transaction(async (tx) => {
      deliveries.addPayloads([payload], tx)
      deliveries.add([{ uid, webhookId, payloadId, event: testEvent, origin: 'test', createdAt }], tx)
    })
  }

  return {
    async replay({ id: webhookId, url }, logId) {
      const uids = await database.transaction(async (tx) => {
        const dead = await log.find(logId, tx)
        if (dead?.webhookId !== webhookId) throw AppError.notFound('delivery')
        if (dead.status !== 'dead') {
          throw new AppError('CONFLICT', `the delivery is ${dead.status}; only dead ones can be replayed`)
        }
        await log.markReplayed(logId, tx)
        const recipients = [{ webhookId, event: dead.event, host: new URL(url).host }]
        return dispatch(tx, [{ payload: copyOf(dead), recipients, origin: 'replay' }])
      })
      return logged(uids[0])
    },
    async test(webhook, actor) {
      const payload = samplePayload(actor)
      const delivery = testDelivery(webhook, payload)
      const message = messageOf(delivery)
      const timeoutMs = config.get(attemptTimeoutMs)
      const { signal } = new AbortController()
      const attempt = await sender.send({ url: webhook.url, message, timeoutMs, signal })
      await addTest(payload, delivery)
      await outcomes.record({ delivery, message, attempt, isLast: true })
      return logged(delivery.uid)
    },
  }
}

/** A copy of the payload, which is stored as long as the new delivery. */
function copyOf({ contentType, entryId, data, occurredAt }: LoggedDelivery): Payload {
  const createdAt = new Date().toISOString()
  return { id: uuidv7(), contentType, entryId, data, occurredAt, createdAt }
}

function samplePayload(actor: unknown): Payload {
  const now = new Date().toISOString()
  const entry = { id: 0, message: 'This is a test delivery.', created_at: now, updated_at: now }
  const data = JSON.stringify({ contentType: testType, entry, actor })
  return { id: uuidv7(), contentType: testType, entryId: 0, data, occurredAt: now, createdAt: now }
}

function testDelivery(webhook: Webhook, { data, occurredAt }: Payload): OpenDelivery {
  const { id: webhookId, ...rest } = webhook
  return {
    ...rest,
    ...{ uid: uuidv7(), webhookId, event: testEvent, contentType: testType, data, occurredAt },
    status: 'pending',
    attempt: 0,
    origin: 'test',
  }
}
