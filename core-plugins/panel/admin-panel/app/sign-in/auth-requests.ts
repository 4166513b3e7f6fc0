import { apiPrefix } from '../ground/session/api-prefix.ts'
import { fetchToken } from '../ground/session/fetch-token.ts'
import type { OpenSession } from '../ground/session/session.ts'
import type { PasswordLink } from './password-link.ts'

interface Problem {
  readonly path: string
  readonly code: string
  readonly message: string
}

/** Why the service refused. */
export interface Refusal {
  readonly status: number
  readonly message: string
  readonly details: readonly Problem[]
  readonly retryAfterSeconds: number
}

export type Outcome<Data> = { readonly data: Data } | { readonly refusal: Refusal }

export const signIn = (identifier: string, password: string) =>
  post<OpenSession>('/admin/auth/login', { identifier, password })

/** Whether the browser stored the session cookie: over http it silently rejects a `Secure` cookie. */
export async function isSessionKept(): Promise<boolean> {
  const { status } = await fetchToken()
  return status !== 401
}

export const changePassword = (token: string, currentPassword: string, newPassword: string) =>
  post<OpenSession>(
    '/admin/auth/change-password',
    { currentPassword, newPassword },
    { authorization: `Bearer ${token}` },
  )

export const forgotPassword = (email: string) => post<object>('/admin/auth/forgot-password', { email })

/** Sets the password of the account that a link is for. */
export const setPassword = ({ purpose, token }: PasswordLink, password: string) =>
  post<OpenSession['user']>(routes[purpose], { token, password, passwordConfirmation: password })

const routes = {
  invitation: '/admin/auth/accept-invitation',
  reset: '/admin/auth/reset-password',
}

/** @throws TypeError if the service cannot be reached */
async function post<Data>(
  path: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<Outcome<Data>> {
  const response = await fetch(apiPrefix + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  const { data, error } = await response.json()
  if (response.ok) return { data }
  const { message = '', details = [] } = error ?? {}
  const retryAfterSeconds = Number(response.headers.get('retry-after') ?? 0)
  return { refusal: { status: response.status, message, details, retryAfterSeconds } }
}
