import type { CachePolicy, Schemas } from '../../foundation/schemas/schemas.ts'

/** Times in seconds. */
export type Policy = Required<CachePolicy>

const names = ['maxAge', 'sMaxAge', 'staleWhileRevalidate', 'staleIfError'] as const

/** The cache policy of an answer with entries of these types: the strictest of theirs. Undefined if it must not be stored. */
export function policyOf(types: Iterable<string>, schemas: Schemas): Policy | undefined {
  let policy: Policy | undefined
  for (const name of types) {
    const type = schemas.types.get(name)
    // Files and accounts have no schema file for a policy; their changes are purged like all others.
    if (type?.system === true) continue
    policy = least(policy, type?.options.cache ?? {})
  }
  return policy !== undefined && isAny(policy) ? policy : undefined
}

function least(one: Policy | undefined, other: CachePolicy): Policy {
  const take = (name: keyof Policy) => Math.min(one?.[name] ?? Number.POSITIVE_INFINITY, other[name] ?? 0)
  return Object.fromEntries(names.map((name) => [name, take(name)])) as unknown as Policy
}

const isAny = ({ maxAge, sMaxAge }: Policy) => maxAge > 0 || sMaxAge > 0

/** Whether any type permits caching, with `byCdn` by a CDN. */
export function hasPolicies(schemas: Schemas, byCdn = false): boolean {
  return [...schemas.types.values()].some(
    ({ options: { cache } }) => (cache?.sMaxAge ?? 0) > 0 || (!byCdn && (cache?.maxAge ?? 0) > 0),
  )
}

/** The policy with all times limited to a number of seconds. */
export function limited(policy: Policy, seconds: number): Policy {
  const sMaxAge = Math.min(policy.sMaxAge, seconds)
  return {
    maxAge: Math.min(policy.maxAge, seconds),
    sMaxAge,
    staleWhileRevalidate: Math.min(policy.staleWhileRevalidate, seconds - sMaxAge),
    staleIfError: policy.staleIfError,
  }
}

/** `Cache-Control` for browsers. */
export function browserControl({ maxAge }: Policy): string {
  return `public, max-age=${maxAge}`
}

/** The value for a CDN, which is purged after changes. */
export function edgeControl({ sMaxAge, staleWhileRevalidate, staleIfError }: Policy): string {
  if (sMaxAge === 0) return 'no-store'
  const more = { 'stale-while-revalidate': staleWhileRevalidate, 'stale-if-error': staleIfError }
  const parts = Object.entries(more).filter(([, seconds]) => seconds > 0)
  return [`max-age=${sMaxAge}`, ...parts.map(([name, seconds]) => `${name}=${seconds}`)].join(', ')
}
