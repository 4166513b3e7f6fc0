import { randomUUID } from 'node:crypto'
import { type TSchema, Type } from 'typebox'
import {
  type Access,
  AppError,
  assertValid,
  defineRoute,
  Reply,
  type Route,
  type RouteRequest,
  strict,
  timestampSchema,
} from '../../../foundation/http/http.ts'
import { identifierSchema, maxCredentialBytes, passwordSchema } from '../accounts/account-payloads.ts'
import { type AccountSystem, openSession } from '../accounts/account-system.ts'
import type { Account } from '../accounts/accounts.ts'
import { unauthenticated } from '../roles/authorization.ts'
import type { SignIn } from '../sign-in/sign-in.ts'
import type { AdminSessions } from './admin-sessions.ts'
import { bearerToken } from './bearer-token.ts'
import type { RevokedTokens } from './revoked-tokens.ts'
import type { SessionEvents } from './session-events.ts'
import type { SessionClaims, SessionTokens } from './session-tokens.ts'

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
  /** The `Set-Cookie` of a response with a new token, or without one after a logout. */
  sessionCookies(token: string | undefined): readonly string[]
  /** Records sessions for display to their owners; admin users only. */
  readonly adminSessions?: AdminSessions
}

/** For a refreshed token: requests with the old one may still be under way. */
const refreshGraceMs = 30_000

/** The routes that both account systems have. */
export function createSessionRoutes(options: SessionRoutesOptions): Route[] {
  return [login(options), refresh(options), me(options), logout(options), changePassword(options)]
}

const login = (options: SessionRoutesOptions) =>
  defineRoute({
    name: `${options.name}.login`,
    method: 'POST',
    path: `${options.path}/login`,
    summary: 'Sign in with e-mail address or username',
    tag: options.tag,
    access: 'open',
    load: 'always',
    body: Type.Object({ identifier: identifierSchema, password: passwordSchema }, strict),
    maxBodyBytes: maxCredentialBytes,
    response: sessionSchema(options.system.own.schema),
    async handler(request) {
      const { system, signIn, events } = options
      const { body, ip } = request
      try {
        const origin = { ip, cookies: request.header('cookie') }
        const { account, deviceCookie } = await signIn.check(system, body, origin)
        await events.loggedIn(account, ip)
        return answerSession(options, { account, request, deviceCookie })
      } catch (error) {
        if (error instanceof AppError) await events.loginFailed(body.identifier, ip, error)
        throw error
      }
    },
  })

const refresh = (options: SessionRoutesOptions) =>
  defineRoute({
    name: `${options.name}.refresh`,
    audit: recordedByHooks,
    method: 'POST',
    path: `${options.path}/refresh`,
    summary: 'Exchange a valid token for a new one',
    description: 'The old token stays valid for 30 seconds.',
    tag: options.tag,
    access: options.access,
    load: 'always',
    response: sessionSchema(options.system.own.schema),
    async handler(request) {
      const claims = claimsOf(request, options.sessions)
      const account = await ownAccount(request, options.system)
      await options.revoked.revokeSoon(claims, refreshGraceMs)
      return answerSession(options, { account, request, continues: claims.jti })
    },
  })

const me = ({ system, name, path, tag, access }: SessionRoutesOptions) =>
  defineRoute({
    name: `${name}.me`,
    method: 'GET',
    path: `${path}/me`,
    summary: 'The account that is signed in',
    tag,
    access,
    response: system.own.schema,
    handler: async (request) => system.own.present(await ownAccount(request, system)),
  })

const logout = (options: SessionRoutesOptions) =>
  defineRoute({
    name: `${options.name}.logout`,
    audit: recordedByHooks,
    method: 'POST',
    path: `${options.path}/logout`,
    summary: 'Revoke the token of this request',
    tag: options.tag,
    access: options.access,
    response: Type.Null(),
    async handler(request) {
      const { system, sessions, revoked, events, sessionCookies, adminSessions } = options
      const account = await ownAccount(request, system)
      const claims = claimsOf(request, sessions)
      await revoked.revoke(claims)
      await adminSessions?.remove(claims.jti)
      await events.loggedOut(account, request.ip)
      return new Reply(200, { kind: 'data', data: null }, { 'set-cookie': sessionCookies(undefined) })
    },
  })

const changePassword = (options: SessionRoutesOptions) =>
  defineRoute({
    name: `${options.name}.change-password`,
    audit: recordedByHooks,
    method: 'POST',
    path: `${options.path}/change-password`,
    summary: 'Change the own password',
    description: 'Revokes all tokens of the account and answers a new one.',
    tag: options.tag,
    access: options.access,
    body: Type.Object({ currentPassword: passwordSchema, newPassword: passwordSchema }, strict),
    maxBodyBytes: maxCredentialBytes,
    response: sessionSchema(options.system.own.schema),
    async furtherProblems(request) {
      const { system } = options
      const account = await ownAccount(request, system)
      const { newPassword: password } = request.body
      return password === undefined
        ? []
        : system.changes.checkPassword({ account, password, path: 'newPassword' })
    },
    async handler(request) {
      const { system, signIn, events } = options
      const { ip, body } = request
      const { currentPassword, newPassword } = body
      const account = await ownAccount(request, system)
      const replacement = { account, password: newPassword, path: 'newPassword' }
      const isConfirmed = await signIn.confirm(system, account, currentPassword)
      const isUnchanged = isConfirmed && newPassword === currentPassword
      assertValid([
        ...(isConfirmed ? [] : [wrongPassword]),
        ...(isUnchanged ? [sameAsBefore] : []),
        ...(await system.changes.checkPassword(replacement)),
      ])
      const changed = await system.changes.replacePassword(replacement)
      await events.passwordChanged(changed, ip)
      const { jti } = claimsOf(request, options.sessions)
      return answerSession(options, { account: changed, request, continues: jti })
    },
  })

/** For `audit`: the session hooks already record these routes. */
const recordedByHooks = false

interface AnsweredSession {
  readonly account: Account
  readonly request: Pick<RouteRequest, 'header' | 'ip'>
  readonly deviceCookie?: string | undefined
  /** The previous `jti` of the session. */
  readonly continues?: string
}

/** Responds with a new token, and sets the cookie. */
export async function answerSession(
  { system, sessions, sessionCookies, adminSessions }: SessionRoutesOptions,
  { account, request, deviceCookie, continues }: AnsweredSession,
): Promise<Reply> {
  const jti = randomUUID()
  const opened = openSession(system, sessions, account, jti)
  const client = { userAgent: request.header('user-agent') ?? '', address: request.ip }
  await adminSessions?.begin(account, { jti, expiresAt: opened.expiresAt, ...client }, continues)
  const cookies = [...sessionCookies(opened.token), ...(deviceCookie === undefined ? [] : [deviceCookie])]
  return new Reply(200, { kind: 'data', data: opened }, { 'set-cookie': cookies })
}

/** The error for a wrong current password. */
export const wrongPassword = { path: 'currentPassword', code: 'incorrect', message: 'is not the password' }
const sameAsBefore = { path: 'newPassword', code: 'unchanged', message: 'is the present password' }

/** A session in responses. */
export function sessionSchema(user: TSchema) {
  const mustChangePassword = Type.Optional(Type.Boolean({ description: 'Admin users only' }))
  return Type.Object({ token: Type.String(), expiresAt: timestampSchema, user, mustChangePassword }, strict)
}

/** The claims of the token that a request was sent with. @throws AppError 401 */
export function claimsOf(request: Pick<RouteRequest, 'header'>, sessions: SessionTokens): SessionClaims {
  const claims = sessions.verify(bearerToken(request) ?? '')
  // The guard has accepted this very token, so it is missing only if the route's access was relaxed.
  if (claims === undefined) throw unauthenticated('send the token of the session to be ended or renewed')
  return claims
}

/** The account of the caller. @throws AppError 401 */
export async function ownAccount(
  { principal }: Pick<RouteRequest, 'principal'>,
  system: AccountSystem,
): Promise<Account> {
  const account = principal.kind === system.kind ? await system.accounts.find(principal.id) : undefined
  if (account === undefined) throw unauthenticated('the account is gone')
  return account
}
