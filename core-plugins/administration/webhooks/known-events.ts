import type { Principal } from '../../foundation/http/http.ts'
import type { PluginWebhookEvent } from './plugin-events.ts'
import { administratorsOnly, type ReceivingRights } from './receiving-rights.ts'
import { entryEvents } from './webhooks.ts'

/** What webhooks can subscribe to. */
export interface KnownEvents {
  has(event: string): boolean
  /** An event of a plugin. */
  find(event: string): PluginWebhookEvent | undefined
  /** The events of plugins that a principal may receive. */
  forPrincipal(principal: Principal): readonly PluginWebhookEvent[]
}

/** `declared` is asked when it is needed, as plugins declare until the start. */
export function createKnownEvents(
  declared: () => readonly PluginWebhookEvent[],
  rights: ReceivingRights,
): KnownEvents {
  let byName: ReadonlyMap<string, PluginWebhookEvent> | undefined
  const events = () => {
    byName ??= new Map(declared().map((event) => [event.name, event]))
    return byName
  }
  return {
    has: (event) => entryEvents.some((each) => each === event) || events().has(event),
    find: (event) => events().get(event),
    forPrincipal: (principal) =>
      [...events().values()].filter(({ contentType = administratorsOnly }) =>
        rights.mayReceive(principal, contentType),
      ),
  }
}
