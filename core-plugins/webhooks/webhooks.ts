export { type AddressGuard, createAddressGuard, RefusedAddressError } from './address-guard.ts'

/** Specification, "Events": what a webhook can subscribe to. */
export const webhookEvents = [
  'entry.create',
  'entry.update',
  'entry.delete',
  'entry.publish',
  'entry.unpublish',
  'entry.preview.invalidate',
] as const

export type WebhookEvent = (typeof webhookEvents)[number]

/** See docs/webhooks.md. A `retrying` delivery has failed and waits for its next attempt; a `dead` one waits for nothing. */
export type DeliveryStatus = 'pending' | 'delivered' | 'retrying' | 'dead'
