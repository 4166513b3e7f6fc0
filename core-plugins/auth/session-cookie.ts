import type { AuthenticatorRequest, Route } from '../http/http.ts'

const name = 'mortise_session'
const pattern = /(?:^|;\s*)mortise_session=([\w.-]+)(?:;|$)/

/** Makes the `Set-Cookie` headers of the panel's session; see decisions.md, 5. */
export interface SessionCookie {
  set(token: string): string
  clear(): string
}

/**
 * `isSecure` keeps the cookie off unencrypted connections. SameSite=Strict and HttpOnly: other sites cannot
 * have it sent and scripts cannot read it.
 */
export function createSessionCookie(lifetimeSeconds: number, isSecure: boolean): SessionCookie {
  const write = (value: string, maxAgeSeconds: number) =>
    `${name}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`
  return {
    set: (token) => write(token, lifetimeSeconds),
    clear: () => write('', 0),
  }
}

/** The token in the cookie, on the pages that a browser opens by itself; nothing that writes accepts it. */
export function cookieToken(request: AuthenticatorRequest): string | undefined {
  return takesCookie(request.route) ? pattern.exec(request.header('cookie') ?? '')?.[1] : undefined
}

/** Whether the cookie counts on a route. */
export function takesCookie({ method, name }: Pick<Route, 'method' | 'name'>): boolean {
  return method === 'GET' && (name.startsWith('docs:') || name.startsWith('graphql:playground.'))
}
