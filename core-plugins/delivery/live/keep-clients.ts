import type { Auth } from '../../accounts/auth/auth.ts'
import type { Clients } from './clients.ts'
import type { Hub } from './hub.ts'
import type { LiveClient } from './live-client.ts'

export interface KeepingParts {
  readonly auth: Auth
  readonly clients: Clients
  readonly hub: Hub
}

/** A client that accepts no data for this long is considered gone. */
const fullForMs = 30_000
/** The number of credentials checked at once; mostly from the cache. */
const credentialsAtOnce = 16

/**
 * Runs once a second: sends heartbeats, and ends streams whose credentials are no longer valid, that are not being read, or
 * that exceed the limit.
 */
export async function keepClients({ auth, clients, hub }: KeepingParts): Promise<void> {
  hub.rest()
  hub.forgetReplays()
  for (const client of clients.nextBeat()) client.beat()
  const fullBeforeMs = performance.now() - fullForMs
  for (const client of clients.all()) if ((client.fullSinceMs ?? fullBeforeMs) < fullBeforeMs) client.cut()
  for (const client of clients.surplus()) client.sendAway()
  for (const client of clients.all())
    if (client.fullSinceMs !== undefined && client.takesMore) hub.drained(client)
  if (clients.size === 0) return
  await auth.freshen()
  const all = [...clients.byCredential()]
  for (let start = 0; start < all.length; start += credentialsAtOnce) {
    const some = all.slice(start, start + credentialsAtOnce)
    await Promise.all(some.map(([credential, own]) => checkCredential({ auth, hub }, credential, own)))
  }
  hub.refuseStrangers()
}

async function checkCredential(
  { auth, hub }: Pick<KeepingParts, 'auth' | 'hub'>,
  credential: string,
  own: ReadonlySet<LiveClient>,
): Promise<void> {
  const principal = await auth.principalOf(credential)
  for (const client of own) {
    if (principal === undefined) client.end()
    else hub.turnInto(client, principal)
  }
}
