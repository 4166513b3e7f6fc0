import { Type } from 'typebox'
import {
  AppError,
  defineRoute,
  idParams,
  presenterOf,
  Reply,
  type Route,
  rangeOf,
  rangePage,
  rangeQuery,
  strict,
  timestampSchema,
} from '../../../foundation/http/http.ts'
import type { AdminSessions } from './admin-sessions.ts'
import {
  answerSession,
  claimsOf,
  ownAccount,
  type SessionRoutesOptions,
  sessionSchema,
} from './session-routes.ts'

export interface AdminSessionRoutesOptions extends SessionRoutesOptions {
  readonly adminSessions: AdminSessions
}

const tag = 'Admin authentication'
const access = 'admin-user'

export const ownSessionSchema = Type.Object(
  {
    id: Type.Integer(),
    current: Type.Boolean({ description: 'The session of this very request' }),
    user_agent: Type.String(),
    address: Type.String({ description: 'From which it was used last' }),
    created_at: timestampSchema,
    last_seen_at: timestampSchema,
    expires_at: timestampSchema,
  },
  strict,
)

/** The own sessions of an admin user. */
export function createAdminSessionRoutes(options: AdminSessionRoutesOptions): Route[] {
  return [listSessions(options), endSession(options), endSessions(options)]
}

const listSessions = (options: AdminSessionRoutesOptions) =>
  defineRoute({
    name: 'admin:auth.sessions.list',
    method: 'GET',
    path: '/admin/auth/sessions',
    summary: 'The own sessions, the one seen last first',
    description: '`last_seen_at` is exact to a minute.',
    ...{ tag, access },
    query: Type.Object(rangeQuery, strict),
    response: Type.Array(ownSessionSchema),
    isPaginated: true,
    async handler(request) {
      const range = rangeOf(request.query)
      const { jti } = claimsOf(request, options.sessions)
      const account = await ownAccount(request, options.system)
      const { sessions, total } = await options.adminSessions.list(account, range)
      const shown = sessions.map((session) => present({ ...session, current: session.jti === jti }))
      return rangePage(shown, total, range)
    },
  })

const endSession = (options: AdminSessionRoutesOptions) =>
  defineRoute({
    name: 'admin:auth.sessions.end',
    audit: 'auth.session_end',
    method: 'DELETE',
    path: '/admin/auth/sessions/:id',
    summary: 'End an own session',
    ...{ tag, access },
    params: idParams,
    response: Type.Object({ id: Type.Integer() }, strict),
    async handler(request) {
      const { system, adminSessions, revoked } = options
      const { id } = request.params
      const session = await adminSessions.find(await ownAccount(request, system), id)
      if (session === undefined) throw AppError.notFound('session')
      await revoked.revoke({ jti: session.jti, exp: Date.parse(session.expiresAt) / 1000 })
      // By the token rather than the id: if the session was renewed at this moment, it continues and stays listed.
      await adminSessions.remove(session.jti)
      return { id }
    },
  })

const endSessions = (options: AdminSessionRoutesOptions) =>
  defineRoute({
    name: 'admin:auth.sessions.end-all',
    audit: 'auth.sessions_end',
    method: 'POST',
    path: '/admin/auth/sessions/end',
    summary: 'Sign out everywhere',
    description: 'With `keepThis`, the answer is a new token for this session, the only one that goes on.',
    ...{ tag, access },
    body: Type.Object({ keepThis: Type.Boolean() }, strict),
    response: Type.Union([sessionSchema(options.system.own.schema), Type.Null()]),
    async handler(request) {
      const { system, sessionCookies } = options
      const { id } = await ownAccount(request, system)
      const { jti } = claimsOf(request, options.sessions)
      const account = await system.changes.endSessions(id)
      if (request.body.keepThis) return answerSession(options, { account, request, continues: jti })
      return new Reply(200, { kind: 'data', data: null }, { 'set-cookie': sessionCookies(undefined) })
    },
  })

const present = presenterOf(ownSessionSchema)
