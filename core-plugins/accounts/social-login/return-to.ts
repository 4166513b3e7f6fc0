import { AppError } from '../../foundation/http/http.ts'

/**
 * The frontend page that gets the token, normalised the way browsers read it.
 * @throws AppError 400 unless its origin is one of `origins`
 */
export function checkReturnTo(address: string, origins: readonly string[]): string {
  const url = URL.canParse(address) ? new URL(address) : undefined
  const isPlain = url !== undefined && url.username === '' && url.password === '' && url.hash === ''
  if (isPlain && origins.includes(url.origin)) return url.href
  const message =
    'is not an address of a frontend that this service knows (security.socialLogin.redirectOrigins)'
  throw AppError.invalid([{ path: 'redirect', code: 'not_allowed', message }])
}

/**
 * The address with values that only the page itself sees: a fragment is sent to no server, and appears in no
 * log and no referrer.
 */
export function withFragment(address: string, values: Readonly<Record<string, string>>): string {
  return `${address}#${new URLSearchParams(values)}`
}
