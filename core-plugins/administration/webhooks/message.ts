import { type Message, signatureOf } from '../../foundation/outgoing/outgoing.ts'
import { standardHeaders } from './standard-webhooks.ts'

/** The data needed to send a delivery. `data` is JSON. */
export interface Deliverable {
  readonly uid: string
  readonly webhookId: number
  readonly event: string
  readonly data: string
  /** When the change was made; ISO 8601. */
  readonly occurredAt: string
  readonly secret: string | null
  readonly headers: Readonly<Record<string, string>>
}

/** See docs/webhooks.md. All attempts at one delivery have the same bytes. */
export function bodyOf({
  uid,
  webhookId,
  event,
  data,
  occurredAt,
}: Omit<Deliverable, 'secret' | 'headers'>): string {
  const rest = JSON.stringify({ id: uid, timestamp: occurredAt, webhookId })
  return `{"event":${JSON.stringify(event)},"data":${data},${rest.slice(1)}`
}

/** The webhook's own headers come first, so that they cannot replace those of the service. `now` is the time of the attempt. */
export function messageOf(deliverable: Deliverable, now = new Date()): Message {
  const { uid, event, occurredAt, secret, headers } = deliverable
  const body = Buffer.from(bodyOf(deliverable))
  return {
    body,
    headers: {
      'content-type': 'application/json',
      ...lowerCased(headers),
      'user-agent': 'mortise-webhooks',
      'x-webhook-event': event,
      'x-webhook-id': uid,
      'x-webhook-timestamp': occurredAt,
      ...(secret === null ? {} : { 'x-webhook-signature': signatureOf(body, secret) }),
      ...standardHeaders({ id: uid, body, secret }, now),
    },
  }
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}
