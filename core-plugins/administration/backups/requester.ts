import type { Principal } from '../../foundation/http/http.ts'

/** A principal in a form that a table can store. */
export type Requester = Exclude<Principal, { kind: 'token' }> | { kind: 'token'; id: number; name: string }

export function requesterOf(principal: Principal): Requester {
  return principal.kind === 'token' ? { kind: 'token', id: principal.id, name: principal.name } : principal
}

/** The principal's identity; a token's scopes are not stored. */
export function principalOf(requester: Requester): Principal {
  return requester.kind === 'token' ? { ...requester, scopes: new Set() } : requester
}
