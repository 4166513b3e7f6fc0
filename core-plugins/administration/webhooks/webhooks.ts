export type { DeliveryStatus } from './delivery.ts'
export {
  type EmitOptions,
  type PluginWebhookEvent,
  type WebhookEvents,
  webhookEventProblems,
  webhookEvents,
  webhookEventsService,
} from './plugin-events.ts'

/** Specification, "Events": the events to which a webhook can subscribe, besides those of plugins. */
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
