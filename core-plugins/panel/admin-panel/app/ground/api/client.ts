import { createClient, type TypeShape } from '../../../../../../client/client.ts'
import { createTransport } from '../../../../../../client/transport.ts'
import { apiPrefix } from '../session/api-prefix.ts'
import { session } from '../session/session.ts'

/** Content types are only known at run time. */
type AnyTypes = Readonly<Record<string, TypeShape & { readonly kind: never }>>

const service = {
  url: location.origin,
  apiPrefix,
  token: () => session.token(),
  fetch: fetchWithSession,
}

/**
 * The API client with the signed-in user's session. A request refused because the session has ended waits until the user has
 * signed in again and is then repeated, so that nothing being saved is lost.
 */
export const api = createClient<AnyTypes>(service)

/** Like `api`, for requests whose response headers are needed, such as an entry's ETag. */
export const transport = createTransport(service)

/** `fetch` with the session, for responses that are not JSON, such as files. */
export async function fetchWithSession(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(input, init)
  if (response.status !== 401) return response
  const headers = new Headers(init.headers)
  session.refused(headers.get('authorization')?.replace('Bearer ', ''))
  await session.opened()
  headers.set('authorization', `Bearer ${await session.token()}`)
  return fetch(input, { ...init, headers })
}
