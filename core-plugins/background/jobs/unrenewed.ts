interface Leased {
  readonly id: number
  readonly leaseUntil: string
}

/**
 * Finds the leases that nobody renews, where the clock cannot tell: those that did not change for as long as
 * a lease lasts, by a monotonic clock. Must be given all such leases on every call.
 */
export function createUnrenewed(leaseMs: number): <Job extends Leased>(jobs: readonly Job[]) => Job[] {
  let seen = new Map<string, number>()
  return (jobs) => {
    const nowMs = performance.now()
    const keyOf = ({ id, leaseUntil }: Leased) => `${id} ${leaseUntil}`
    seen = new Map(jobs.map((job) => [keyOf(job), seen.get(keyOf(job)) ?? nowMs]))
    return jobs.filter((job) => nowMs - (seen.get(keyOf(job)) ?? nowMs) >= leaseMs)
  }
}
