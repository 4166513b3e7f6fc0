interface Leased {
  readonly id: number
  readonly leaseUntil: string
}

/**
 * Says which of leases that cannot be told by the clock nobody renews: those that have stayed the same for as long as
 * one lasts, by a clock that is never set. To be told of all of them at every look.
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
