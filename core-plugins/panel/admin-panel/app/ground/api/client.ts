import { createClient, type TypeShape } from '../../../../../../client/client.ts'
import { createTransport } from '../../../../../../client/transport.ts'
import { apiPrefix } from '../session/api-prefix.ts'
import { session } from '../session/session.ts'

/** The types of this panel are known at run time only. */
type AnyTypes = Readonly<Record<string, TypeShape & { readonly kind: never }>>

const service = {
  url: location.origin,
  apiPrefix,
  token: () => session.token(),
  fetch: fetchWithSession,
}

/**
 * The service, as whoever is signed in. A request that is refused because the session has ended waits until somebody
 * has signed in again, and is then repeated: nothing that was being saved is lost.
 */
export const api = createClient<AnyTypes>(service)

/** The same for requests of which the headers matter: an entry's ETag. */
export const transport = createTransport(service)

/** `fetch` with the session, for what is no JSON: files. */
export async function fetchWithSession(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(input, init)
  if (response.status !== 401) return response
  const headers = new Headers(init.headers)
  session.refused(headers.get('authorization')?.replace('Bearer ', ''))
  await session.opened()
  headers.set('authorization', `Bearer ${await session.token()}`)
  return fetch(input, { ...init, headers })
}
