import type { Principal } from '../../foundation/http/http.ts'
import type { PluginWebhookEvent } from './plugin-events.ts'
import { administratorsOnly, type ReceivingRights } from './receiving-rights.ts'
import { entryEvents } from './webhooks.ts'

/** The events to which webhooks can subscribe. */
export interface KnownEvents {
  has(event: string): boolean
  /** A plugin's event by its name. */
  find(event: string): PluginWebhookEvent | undefined
  /** The events of plugins that a principal may receive. */
  forPrincipal(principal: Principal): readonly PluginWebhookEvent[]
}

/** `declared` is called when needed, since plugins declare events until the start. */
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
