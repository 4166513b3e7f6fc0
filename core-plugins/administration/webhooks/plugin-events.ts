import type { TSchema } from 'typebox'
import { type ExtensionPoint, extensionPoint, type ServiceToken, service } from '../../../kernel/index.ts'
import type { Transaction } from '../../foundation/database/database.ts'

/** An event of a plugin, which webhooks can subscribe to. */
export interface PluginWebhookEvent {
  /** `<plugin>.<event>`, at most 40 characters: `shop.order-paid`. */
  readonly name: string
  /** A sentence that says when it occurs. */
  readonly description: string
  /** The schema of `data`. Data that do not match are an error of the plugin that emits the event. */
  readonly payload: TSchema
  /**
   * The singular name of the content type that the event concerns. Only webhooks whose makers may read its entries, including
   * drafts, receive the event. Without a type, only webhooks made by administrators receive it.
   */
  readonly contentType?: string
}

/** Events that plugins declare. */
export const webhookEvents: ExtensionPoint<PluginWebhookEvent> = extensionPoint('webhookEvents')

/** The subject of a plugin's event. */
export interface EmitOptions {
  /**
   * For an event with a `contentType`: the id of the entry. Events of one entry arrive in order, and so do all events without
   * an entry.
   */
  readonly entryId?: number
}

/** Sends events of plugins to webhooks. */
export interface WebhookEvents {
  /**
   * Emits an event within the transaction in which it happens. Like changes of content, it is delivered if the transaction is
   * committed. `data` is JSON of at most 1 MiB. Needs no query without subscribers.
   * @throws Error for an undeclared event, and for data that do not match its schema
   */
  emit(tx: Transaction, event: string, data: unknown, options?: EmitOptions): Promise<void>
}

/** Sends declared events of plugins to webhooks. */
export const webhookEventsService: ServiceToken<WebhookEvents> = service('webhookEvents')

/** The width of the column. */
const maxNameLength = 40

/** The problems of a declaration. */
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
