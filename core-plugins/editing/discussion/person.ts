import type { personSchema } from '../../accounts/auth/auth.ts'
import { AppError, type Principal, type RecordOf } from '../../foundation/http/http.ts'

/** An admin user or a token, as shown with their actions; for a token, `username` is its name. */
export type Person = RecordOf<typeof personSchema>

/** A person, and the kind of caller: `admin` or `token`. */
export interface Actor extends Person {
  readonly kind: string
}

/** An actor in stored form. */
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
