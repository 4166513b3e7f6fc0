import { v7 as uuidv7 } from 'uuid'
import { untilCommit } from '../../foundation/database/database.ts'
import { bodyValidator, type Validator } from '../../foundation/http/http.ts'
import type { Dispatch, DispatchRequest } from './dispatch.ts'
import type { KnownEvents } from './known-events.ts'
import type { WebhookEvents } from './plugin-events.ts'
import { administratorsOnly } from './receiving-rights.ts'
import type { Subscriptions } from './subscriptions.ts'

const maxDataBytes = 1024 * 1024

/** Writes the deliveries of plugins' events in the emitting transactions, all of a transaction together. */
export function createWebhookEvents(
  known: KnownEvents,
  subscriptions: Subscriptions,
  dispatch: Dispatch,
): WebhookEvents {
  const dispatchAtCommit = untilCommit<DispatchRequest>((requests, tx) => dispatch(tx, requests))
  const validators = new Map<string, Validator>()

  function validatorOf(event: string): Validator {
    const present = validators.get(event)
    if (present !== undefined) return present
    const made = bodyValidator(known.find(event)?.payload ?? {})
    validators.set(event, made)
    return made
  }

  /** @throws Error */
  function encode(event: string, data: unknown): string {
    const text = JSON.stringify(data)
    if (text === undefined) throw new Error(`the data of ${event} are no JSON`)
    if (Buffer.byteLength(text) > maxDataBytes) {
      throw new Error(
        `the data of ${event} have more than ${maxDataBytes} bytes; send an id in place of them`,
      )
    }
    const problems = validatorOf(event)(JSON.parse(text))
    if (problems.length === 0) return text
    const told = problems.map(({ path, message }) => `${path || 'data'} ${message}`).join('; ')
    throw new Error(`the data of ${event} are not what its payload schema says: ${told}`)
  }

  return {
    async emit(tx, event, data, { entryId = 0 } = {}) {
      const definition = known.find(event)
      if (definition === undefined) {
        throw new Error(`no plugin declares the webhook event ${event}; contribute it to webhookEvents`)
      }
      const text = encode(event, data)
      const contentType = definition.contentType ?? administratorsOnly
      if (!subscriptions.areAny([event], contentType)) return
      const recipients = await subscriptions.subscribersOf([event], contentType)
      if (recipients.length === 0) return
      const now = new Date().toISOString()
      const payload = { id: uuidv7(), contentType, entryId, data: text, occurredAt: now, createdAt: now }
      dispatchAtCommit(tx, { payload, recipients, origin: 'change' })
    },
  }
}
