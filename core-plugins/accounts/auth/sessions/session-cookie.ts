import type { AuthenticatorRequest, Route } from '../../../foundation/http/http.ts'

const name = 'mortise_session'
const pattern = /(?:^|;\s*)mortise_session=([\w.-]+)(?:;|$)/

/** Builds the `Set-Cookie` headers of the panel's session; see docs/auth.md. */
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

/** The token in the cookie, for pages that a browser opens directly; routes that write do not accept it. */
export function cookieToken(request: AuthenticatorRequest): string | undefined {
  return takesCookie(request.route) ? pattern.exec(request.header('cookie') ?? '')?.[1] : undefined
}

/** Whether a route accepts the cookie. */
export function takesCookie({ method, session }: Pick<Route, 'method' | 'session'>): boolean {
  return method === 'GET' && session === 'cookie'
}
