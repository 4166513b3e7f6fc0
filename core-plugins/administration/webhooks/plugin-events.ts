import type { TSchema } from 'typebox'
import { type ExtensionPoint, extensionPoint, type ServiceToken, service } from '../../../kernel/index.ts'
import type { Transaction } from '../../foundation/database/database.ts'

/** An event of a plugin, which webhooks can subscribe to. */
export interface PluginWebhookEvent {
  /** `<plugin>.<what happened>`, at most 40 characters: `shop.order-paid`. */
  readonly name: string
  /** When it occurs, in a sentence. */
  readonly description: string
  /** The schema of `data`. What does not match is an error of the plugin that emits it. */
  readonly payload: TSchema
  /**
   * The singular name of the content type that it concerns. Only webhooks whose makers may read its entries, drafts
   * included, receive the event. Without a type, only webhooks made by administrators do.
   */
  readonly contentType?: string
}

/** Events that plugins declare. */
export const webhookEvents: ExtensionPoint<PluginWebhookEvent> = extensionPoint('webhookEvents')

/** What an event of a plugin is about. */
export interface EmitOptions {
  /** Of an event with a `contentType`: the entry. Events of one entry arrive in order, as do all without one. */
  readonly entryId?: number
}

/** Tells webhooks what happens in plugins. */
export interface WebhookEvents {
  /**
   * Emits an event within the transaction in which it happens: it is delivered like changes of content if that is committed,
   * and never if it is rolled back. `data` is JSON of at most 1 MiB. Costs no query without subscribers.
   * @throws Error for an event that no plugin declares, and for data that do not match its schema
   */
  emit(tx: Transaction, event: string, data: unknown, options?: EmitOptions): Promise<void>
}

/** Tells webhooks of events that plugins declare. */
export const webhookEventsService: ServiceToken<WebhookEvents> = service('webhookEvents')

/** As wide as the column. */
const maxNameLength = 40

/** What is wrong with a declaration. */
export function webhookEventProblems({ name, description, payload }: PluginWebhookEvent): string[] {
  const checks: [boolean, string][] = [
    [
      typeof name === 'string' &&
        /^[a-z][a-z0-9-]*(\.[a-z][a-z0-9_-]*)+$/i.test(name) &&
        name.length <= maxNameLength,
      `must have a name of at most ${maxNameLength} letters, digits, dots and dashes`,
    ],
    [typeof description === 'string', 'must have a description'],
    [typeof payload === 'object' && payload !== null, 'must have a payload schema'],
  ]
  return checks.filter(([isRight]) => !isRight).map(([, message]) => message)
}
