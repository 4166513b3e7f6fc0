import type { Principal } from '../../foundation/http/http.ts'

/** Who made a change: an admin user, a content user or a token. */
export interface ChangeActor {
  readonly kind: string
  readonly id: number
  readonly name: string
}

/** Undefined for callers without credentials. */
export function actorOf(principal: Principal): ChangeActor | undefined {
  if (principal.kind === 'anonymous') return undefined
  const { kind, id } = principal
  return { kind, id, name: principal.kind === 'token' ? principal.name : principal.username }
}
