import { apiPrefix } from './api-prefix.ts'

/**
 * Requests a token with the session cookie. Over http, only the header proves that the request comes from the panel
 * (`auth/panel-token-route.ts`).
 */
export function fetchToken(): Promise<Response> {
  return fetch(`${apiPrefix}/admin/auth/token`, { headers: { 'x-requested-by': 'panel' } })
}
