import { createHash, timingSafeEqual } from 'node:crypto'
import type { Authenticator, Route, TokenPrincipal } from '../http/http.ts'

/** Lets callers with METRICS_TOKEN read the metrics, and nothing else. */
export function createTokenAuthenticator(token: string, route: Route, scope: string): Authenticator {
  const principal: TokenPrincipal = { kind: 'token', id: 0, name: 'METRICS_TOKEN', scopes: new Set([scope]) }
  const expected = digest(`Bearer ${token}`)
  return {
    authenticate(request) {
      if (token === '' || request.route.name !== route.name) return undefined
      const given = request.header('authorization')
      if (given === undefined) return undefined
      // Digests have equal length, as the comparison requires, and comparing them does not reveal where two tokens
      // differ.
      return timingSafeEqual(digest(given), expected) ? principal : undefined
    },
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
