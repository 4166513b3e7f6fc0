interface Leased {
  readonly id: number
  readonly leaseUntil: string
}

/**
 * Finds leases that are no longer renewed without relying on the clocks of other processes: leases that have not changed for
 * their duration, by a monotonic clock. Every call must be given all such leases.
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
