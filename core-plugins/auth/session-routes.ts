import { type TSchema, Type } from 'typebox'
import {
  type Access,
  AppError,
  defineRoute,
  expectValid,
  Reply,
  type Route,
  type RouteRequest,
  strict,
  timestampSchema,
} from '../http/http.ts'
import { identifierSchema, passwordSchema } from './account-payloads.ts'
import { type AccountSystem, openSession } from './account-system.ts'
import type { Account } from './accounts.ts'
import { bearerToken } from './authenticator.ts'
import { unauthenticated } from './judge.ts'
import type { RevokedTokens } from './revoked-tokens.ts'
import type { SessionEvents } from './session-events.ts'
import type { SessionClaims, SessionTokens } from './session-tokens.ts'
import type { SignIn } from './sign-in.ts'

export interface SessionRoutesOptions {
  readonly system: AccountSystem
  readonly sessions: SessionTokens
  readonly revoked: RevokedTokens
  readonly signIn: SignIn
  readonly events: SessionEvents
  /** `admin:auth`: the routes are `admin:auth.login` and so on. */
  readonly name: string
  /** `/admin/auth`. */
  readonly path: string
  readonly tag: string
  readonly access: Access
  /** `Set-Cookie` of an answer with a new token, or without one after a logout. */
  sessionCookies(token: string | undefined): readonly string[]
}

/** Of a token that was refreshed: requests with it may still be under way. */
const refreshGraceMs = 30_000

/** Login, refresh, me, logout and change-password, which both systems of accounts have. */
export function createSessionRoutes(options: SessionRoutesOptions): Route[] {
  const { system, sessions, revoked, signIn, events, sessionCookies } = options
  const { name, path, tag, access } = options
  const session = sessionSchema(system.schema)
  // The hooks tell what is worth recording.
  const audit = false

  function answerSession(account: Account, deviceCookie?: string): Reply {
    const opened = openSession(system, sessions, account)
    const cookies = [...sessionCookies(opened.token), ...(deviceCookie === undefined ? [] : [deviceCookie])]
    return new Reply(200, { kind: 'data', data: opened }, { 'set-cookie': cookies })
  }

  const login = defineRoute({
    name: `${name}.login`,
    method: 'POST',
    path: `${path}/login`,
    summary: 'Sign in with e-mail address or username',
    tag,
    access: 'open',
    body: Type.Object({ identifier: identifierSchema, password: passwordSchema }, strict),
    response: session,
    async handler(request) {
      const { body, ip } = request
      try {
        const origin = { ip, cookies: request.header('cookie') }
        const { account, deviceCookie } = await signIn.check(system, body, origin)
        await events.loggedIn(account, ip)
        return answerSession(account, deviceCookie)
      } catch (error) {
        if (error instanceof AppError) await events.loginFailed(body.identifier, ip, error)
        throw error
      }
    },
  })

  const refresh = defineRoute({
    name: `${name}.refresh`,
    audit,
    method: 'POST',
    path: `${path}/refresh`,
    summary: 'Exchange a valid token for a new one',
    description: 'The old token stays valid for 30 seconds.',
    tag,
    access,
    response: session,
    async handler(request) {
      const claims = claimsOf(request, sessions)
      const account = await ownAccount(request, system)
      await revoked.revokeSoon(claims, refreshGraceMs)
      return answerSession(account)
    },
  })

  const me = defineRoute({
    name: `${name}.me`,
    method: 'GET',
    path: `${path}/me`,
    summary: 'The account that is signed in',
    tag,
    access,
    response: system.schema,
    handler: async (request) => system.present(await ownAccount(request, system)),
  })

  const logout = defineRoute({
    name: `${name}.logout`,
    audit,
    method: 'POST',
    path: `${path}/logout`,
    summary: 'Revoke the token of this request',
    tag,
    access,
    response: Type.Null(),
    async handler(request) {
      const { ip } = request
      const account = await ownAccount(request, system)
      await revoked.revoke(claimsOf(request, sessions))
      await events.loggedOut(account, ip)
      return new Reply(200, { kind: 'data', data: null }, { 'set-cookie': sessionCookies(undefined) })
    },
  })

  const changePassword = defineRoute({
    name: `${name}.change-password`,
    audit,
    method: 'POST',
    path: `${path}/change-password`,
    summary: 'Change the own password',
    description: 'Revokes all tokens of the account and answers a new one.',
    tag,
    access,
    body: Type.Object({ currentPassword: passwordSchema, newPassword: passwordSchema }, strict),
    response: session,
    async judgeRefused(request) {
      const account = await ownAccount(request, system)
      const { newPassword: password } = request.body
      return password === undefined
        ? []
        : system.changes.judgePassword({ account, password, path: 'newPassword' })
    },
    async handler(request) {
      const { ip, body } = request
      const { currentPassword, newPassword } = body
      const account = await ownAccount(request, system)
      const replacement = { account, password: newPassword, path: 'newPassword' }
      const isConfirmed = await signIn.confirm(system, account, currentPassword)
      const isUnchanged = isConfirmed && newPassword === currentPassword
      expectValid([
        ...(isConfirmed ? [] : [wrongPassword]),
        ...(isUnchanged ? [sameAsBefore] : []),
        ...(await system.changes.judgePassword(replacement)),
      ])
      const changed = await system.changes.replacePassword(replacement)
      await events.passwordChanged(changed, ip)
      return answerSession(changed)
    },
  })

  return [login, refresh, me, logout, changePassword]
}

const wrongPassword = { path: 'currentPassword', code: 'incorrect', message: 'is not the password' }
const sameAsBefore = { path: 'newPassword', code: 'unchanged', message: 'is the present password' }

/** A session as it is answered. */
export function sessionSchema(user: TSchema) {
  const mustChangePassword = Type.Optional(Type.Boolean({ description: 'Admin users only' }))
  return Type.Object({ token: Type.String(), expiresAt: timestampSchema, user, mustChangePassword }, strict)
}

// The guard has let this very token pass, so it is missing only if the route's access was loosened.
function claimsOf(request: Pick<RouteRequest, 'header'>, sessions: SessionTokens): SessionClaims {
  const claims = sessions.verify(bearerToken(request) ?? '')
  if (claims === undefined) throw unauthenticated('send the token of the session to be ended or renewed')
  return claims
}

async function ownAccount(
  { principal }: Pick<RouteRequest, 'principal'>,
  system: AccountSystem,
): Promise<Account> {
  const account = principal.kind === system.kind ? await system.accounts.find(principal.id) : undefined
  if (account === undefined) throw unauthenticated('the account is gone')
  return account
}
