import { apiPrefix } from './api-prefix.ts'

/** Asks for a token by the cookie. Over http, only the header says that a page of the panel does (`auth/panel-token-route.ts`). */
export function fetchToken(): Promise<Response> {
  return fetch(`${apiPrefix}/admin/auth/token`, { headers: { 'x-requested-by': 'panel' } })
}
