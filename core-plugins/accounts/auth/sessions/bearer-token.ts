import type { AuthenticatorRequest } from '../../../foundation/http/http.ts'

/** The bearer token of a request. */
export function bearerToken(request: Pick<AuthenticatorRequest, 'header'>): string | undefined {
  return tokenIn(request.header('authorization') ?? '')
}

/** The token in an `Authorization` header. */
export function tokenIn(credential: string): string | undefined {
  return /^bearer (\S+)$/i.exec(credential)?.[1]
}
