import type { Principal } from '../../foundation/http/http.ts'

const classes = new WeakMap<Principal, string>()

/**
 * Equal for callers who see the same content: by role, or by scopes and the rights of the maker. Does not include the
 * permissions of a role.
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

/** Callers who may write also expect to read the latest writes of others, so their responses are never older than the log. */
export function isStrict(principal: Principal): boolean {
  if (principal.kind === 'admin') return true
  return principal.kind === 'token' && [...principal.scopes].some((scope) => !scope.includes(':read'))
}

/** Positions reveal the time of writes, even of hidden entries, so the public does not see them. */
export function maySeePositions({ kind }: Principal): boolean {
  return kind === 'admin' || kind === 'token'
}
