import type { Principal, SystemEvent } from 'mortise/plugin'

/** The event as JSON in one line, without the end of the line. */
export function lineOf(event: SystemEvent, { withEntry }: { readonly withEntry: boolean }): string {
  const head = { at: new Date().toISOString(), event: event.name }
  if (event.name === 'app:start') return JSON.stringify(head)
  const { contentType, entry, principal } = event.payload
  const line = { ...head, contentType, id: entry.id, actor: actorOf(principal) }
  return JSON.stringify(withEntry ? { ...line, entry } : line)
}

function actorOf(principal: Principal): string {
  return principal.kind === 'anonymous' ? principal.kind : `${principal.kind}:${principal.id}`
}
