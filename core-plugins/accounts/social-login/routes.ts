import { randomBytes } from 'node:crypto'
import { Type } from 'typebox'
import { type Config, siteUrl } from '../../foundation/config/config.ts'
import {
  AppError,
  defineRoute,
  type Http,
  Reply,
  type Route,
  redirect,
  strict,
} from '../../foundation/http/http.ts'
import type { ContentUserSession, ContentUserSignIn } from '../auth/auth.ts'
import { type Attempt, type AttemptSeal, attemptLifetimeMs } from './attempt.ts'
import { attemptCookie } from './attempt-cookie.ts'
import type { Exchange } from './exchange.ts'
import type { FindUser } from './find-user.ts'
import { checkReturnTo, withFragment } from './return-to.ts'
import { callbackOrigin, type Provider, redirectOrigins } from './settings.ts'
import type { UsedStates } from './used-states.ts'

export interface SocialLoginRoutesOptions {
  readonly provider: Provider
  readonly exchange: Exchange
  readonly config: Config
  readonly http: Http
  readonly users: ContentUserSignIn
  readonly findUser: FindUser
  readonly seal: AttemptSeal
  readonly usedStates: UsedStates
  /** Runs a few at a time. @throws AppError 503 if too many are waiting */
  readonly inBulkhead: <T>(task: () => Promise<T>) => Promise<T>
}

const tag = 'Content-user authentication'

/** For answers that contain a token or lead to one. */
const privately = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }

/** The routes of one provider. */
export function socialLoginRoutes(options: SocialLoginRoutesOptions): Route[] {
  return [startSignIn(options), finishSignIn(options)]
}

const startQuery = Type.Object(
  {
    redirect: Type.Optional(
      Type.String({
        maxLength: 2_000,
        description: 'A page of a known frontend, which gets the token in its fragment',
      }),
    ),
  },
  strict,
)

const startSignIn = (options: SocialLoginRoutesOptions) => {
  const { name, label } = options.provider
  return defineRoute({
    name: `auth:${name}.start`,
    method: 'GET',
    path: `/auth/${name}`,
    summary: `Sign in with ${label}`,
    description: `Leads a browser to ${label}.`,
    tag,
    access: 'open',
    load: 'always',
    query: startQuery,
    rawResponse: 'text/plain',
    successStatus: 302,
    async handler({ query }) {
      const { exchange, seal } = options
      const attempt = beginAttempt(options, query.redirect)
      const cookie = attemptCookie(name, attempt.redirectUri)
      const location = await exchange.authorizationUrl(attempt)
      return redirect(location.href, { ...privately, 'set-cookie': cookie.set(seal.seal(name, attempt)) })
    },
  })
}

const finishSignIn = (options: SocialLoginRoutesOptions) => {
  const { provider, users } = options
  const { name, label } = provider
  return defineRoute({
    name: `auth:${name}.callback`,
    method: 'GET',
    path: `/auth/${name}/callback`,
    summary: `Where ${label} sends browsers back to`,
    description:
      'Answers a token, or leads to the page that the start was told, with `token` and `expiresAt` in its fragment, ' +
      'or `error` and `message`.',
    tag,
    access: 'open',
    load: 'always',
    response: users.sessionSchema,
    async handler(request) {
      const answer = new URLSearchParams(request.rawQuery)
      const cookie = attemptCookie(name, redirectUri(options))
      const attempt = await takeAttempt(options, answer, cookie.read(request.header('cookie')))
      const headers = { ...privately, 'set-cookie': cookie.clear() }
      const { returnTo } = attempt
      try {
        const session = await openSession(options, { answer, attempt, ip: request.ip })
        return returnTo === undefined
          ? new Reply(200, { kind: 'data', data: session }, headers)
          : redirect(sessionAddress(options, returnTo, session), headers)
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        if (returnTo === undefined) throw withHeaders(error, headers)
        return redirect(withFragment(returnTo, { error: error.code, message: error.message }), headers)
      }
    },
  })
}

function beginAttempt(options: SocialLoginRoutesOptions, returnTo: string | undefined): Attempt {
  return {
    state: randomValue(),
    nonce: randomValue(),
    codeVerifier: randomValue(),
    redirectUri: redirectUri(options),
    returnTo:
      returnTo === undefined ? undefined : checkReturnTo(returnTo, options.config.get(redirectOrigins)),
    expiresAtMs: Date.now() + attemptLifetimeMs,
  }
}

// Never from the Host header, which the client chooses.
function redirectUri({ config, http, provider }: SocialLoginRoutesOptions): string {
  const origin = config.get(callbackOrigin) || originOf(config.get(siteUrl)) || http.url
  return `${origin}${http.apiPrefix}/auth/${provider.name}/callback`
}

/** The attempt to which a callback belongs. @throws AppError 400 */
async function takeAttempt(
  { provider, seal, usedStates }: SocialLoginRoutesOptions,
  answer: URLSearchParams,
  cookie: string | undefined,
): Promise<Attempt> {
  const attempt = cookie === undefined ? undefined : seal.open(provider.name, cookie)
  if (attempt === undefined) throw badState('this browser has not begun to sign in, or not lately')
  const states = answer.getAll('state')
  if (states.length !== 1 || states[0] !== attempt.state) throw badState('is not that of this browser')
  if (!(await usedStates.use(attempt))) throw badState('was used already')
  return attempt
}

async function openSession(
  { provider, exchange, users, findUser, inBulkhead }: SocialLoginRoutesOptions,
  { answer, attempt, ip }: { answer: URLSearchParams; attempt: Attempt; ip: string },
): Promise<ContentUserSession> {
  const identity = await inBulkhead(() => exchange.identify(answer, attempt))
  return users.openSession(await findUser(provider, identity, ip), ip)
}

function sessionAddress(
  { config }: SocialLoginRoutesOptions,
  returnTo: string,
  { token, expiresAt }: ContentUserSession,
): string {
  // It may have been removed from the list since.
  const address = checkReturnTo(returnTo, config.get(redirectOrigins))
  return withFragment(address, { token, expiresAt })
}

/** 256 bits, in letters that fit into addresses. */
function randomValue(): string {
  return randomBytes(32).toString('base64url')
}

function originOf(address: string): string {
  return address === '' ? '' : new URL(address).origin
}

function badState(message: string): AppError {
  return AppError.invalid([{ path: 'state', code: 'invalid', message }])
}

function withHeaders(error: AppError, more: Record<string, string>) {
  const { message, details, cause, headers } = error
  return AppError.reworded(error, message, { details, cause, headers: { ...headers, ...more } })
}
