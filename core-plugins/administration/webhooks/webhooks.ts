export {
  type EmitOptions,
  type PluginWebhookEvent,
  type WebhookEvents,
  webhookEventProblems,
  webhookEvents,
  webhookEventsService,
} from './plugin-events.ts'

/** Specification, "Events": what a webhook can subscribe to, beside the events of plugins. */
export const entryEvents = [
  'entry.create',
  'entry.update',
  'entry.delete',
  'entry.publish',
  'entry.unpublish',
  'entry.preview.invalidate',
] as const

/** The name of an event of content, as webhooks subscribe to it: `entry.create`. */
export type WebhookEvent = (typeof entryEvents)[number]

/** See docs/webhooks.md. A `retrying` delivery has failed and waits for its next attempt; a `dead` one waits for nothing. */
export type DeliveryStatus = 'pending' | 'delivered' | 'retrying' | 'dead'
