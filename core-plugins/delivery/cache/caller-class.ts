import type { Principal } from '../../foundation/http/http.ts'

const classes = new WeakMap<Principal, string>()

/**
 * Equal for callers who see the same: by their role, or by their scopes and what their makers see. Which rights a role has
 * is not part of it.
 */
export function classOf(principal: Principal): string {
  let known = classes.get(principal)
  if (known === undefined) {
    known = makeClass(principal)
    classes.set(principal, known)
  }
  return known
}

function makeClass(principal: Principal): string {
  switch (principal.kind) {
    case 'anonymous':
      return '-'
    case 'token': {
      const { scopes, maker } = principal
      const made = maker === undefined ? '' : ` by ${classOf(maker)}`
      return `token ${JSON.stringify([...scopes].sort())}${made}`
    }
    default:
      return `${principal.kind} ${JSON.stringify(principal.role)}`
  }
}

/** Callers who may write expect to read the latest writes of others too, so they never get answers older than the log. */
export function isStrict(principal: Principal): boolean {
  if (principal.kind === 'admin') return true
  return principal.kind === 'token' && [...principal.scopes].some((scope) => !scope.includes(':read'))
}

/** Positions reveal when something was written, even something hidden, so the public does not see them. */
export function maySeePositions({ kind }: Principal): boolean {
  return kind === 'admin' || kind === 'token'
}
