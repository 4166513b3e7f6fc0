import { AppError, type Principal } from '../../foundation/http/http.ts'
import type { Actor } from './discussion.ts'

/** An actor as it is stored. */
export interface StoredPerson {
  readonly kind: string
  readonly id: number
  readonly name: string
}

const maxNameLength = 255

/** @throws AppError 401 for callers without credentials */
export function personOf(principal: Principal): StoredPerson {
  if (principal.kind === 'anonymous') throw new AppError('UNAUTHENTICATED', 'sign in, or send an API token')
  const name = principal.kind === 'token' ? principal.name : principal.username
  return { kind: principal.kind, id: principal.id, name: name.slice(0, maxNameLength) }
}

export function present(kind: string, id: number, name: string | null): Actor {
  return { kind, id, username: name ?? '' }
}
