import {
  AppError,
  type AuthenticatorRequest,
  defineRoute,
  Reply,
  type Route,
} from '../../../foundation/http/http.ts'
import type { AccountSystem } from '../accounts/account-system.ts'
import { unauthenticated } from '../roles/authorization.ts'
import { cookieToken } from '../sessions/session-cookie.ts'
import { sessionSchema } from '../sessions/session-routes.ts'
import type { SessionClaims, SessionTokens } from '../sessions/session-tokens.ts'

const lifetimeSeconds = 15 * 60

/**
 * Issues a token to the panel, which keeps tokens in memory only, after a reload. It belongs to the session of the cookie and
 * ends with it, so the cookie itself still does not authorise writes.
 */
export const createPanelTokenRoute = (system: AccountSystem, sessions: SessionTokens): Route =>
  defineRoute({
    name: 'admin:auth.token',
    method: 'GET',
    path: '/admin/auth/token',
    summary: 'A token of 15 minutes for the holder of the session cookie',
    description:
      'For pages of this origin only: the browser says so by `Sec-Fetch-Site: same-origin`, or by `Origin`; where it sends ' +
      'neither, `X-Requested-By: panel` does. The ' +
      'token ends with the session of the cookie, and a bearer token is not taken in place of the cookie.',
    tag: 'Admin authentication',
    access: 'admin-user',
    session: 'cookie',
    response: sessionSchema(system.own.schema),
    async handler(request) {
      const claims = cookieClaims(request, sessions)
      if (!isOfThisOrigin(request)) throw AppError.forbidden()
      const account = await system.accounts.find(Number(claims.sub))
      if (account === undefined) throw unauthenticated('the account is gone')
      const data = {
        ...sessions.signBrief(claims, lifetimeSeconds),
        user: system.own.present(account),
        mustChangePassword: account.mustChangePassword === true,
      }
      return new Reply(200, { kind: 'data', data }, { 'cache-control': 'no-store' })
    },
  })

/** The guard has accepted the cookie, unless a header took precedence. */
function cookieClaims(request: AuthenticatorRequest, sessions: SessionTokens): SessionClaims {
  const isByHeader = request.header('authorization') !== undefined
  const claims = isByHeader ? undefined : sessions.verify(cookieToken(request) ?? '')
  if (claims === undefined) throw unauthenticated('send the session cookie, and no Authorization header')
  return claims
}

/**
 * Whether the request comes from the panel's own pages. Browsers omit `Sec-Fetch-Site` without https or localhost, and
 * `Origin` in a GET of the same origin. A custom header then excludes images and scripts of other sites, which cannot send
 * one; other requests of such sites have an `Origin`.
 */
function isOfThisOrigin(request: Pick<AuthenticatorRequest, 'header'>): boolean {
  const site = request.header('sec-fetch-site')
  if (site !== undefined) return site === 'same-origin'
  const origin = request.header('origin')
  if (origin === undefined) return request.header('x-requested-by') === 'panel'
  return URL.canParse(origin) && new URL(origin).host === request.header('host')
}
