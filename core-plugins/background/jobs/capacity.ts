import type { Kinds } from './kinds.ts'

interface Occupant {
  readonly name: string
  readonly lane: string | null
  /** How many processes have died while running the job; null for none. */
  readonly deaths: number | null
}

/**
 * A job during which this many processes have died may be the cause. Only one such job runs at a time, so that another crash is
 * not blamed on jobs that ran alongside it.
 */
const deathsOfSuspect = 2

/** Higher than any `maxDeaths`, and small enough for the column. */
const mostDeathsEver = 1_000_000

const isSuspect = ({ deaths }: Occupant) => (deaths ?? 0) >= deathsOfSuspect

/** The remaining capacity of this process: per kind, per lane, and in total for the kinds without their own limit. */
export interface Capacity {
  /** The kinds with capacity left. */
  openKinds(): string[]
  /** The kinds without capacity left. */
  fullKinds(): string[]
  fullLanes(): string[]
  /** The highest number of deaths a job may have to be run now. */
  mostDeaths(): number
  /** The maximum number of further jobs. */
  free(): number
  occupy(job: Occupant): void
  vacate(job: Occupant): void
  /**
   * Returns a function to call with one job after another: it says whether the job still fits, given the jobs accepted before.
   */
  admission(): (job: Occupant) => boolean
}

export function createCapacity(kinds: Kinds, sharedLimit: number): Capacity {
  const byPool = new Map<string, number>()
  const byLane = new Map<string, number>()
  let suspects = 0

  const hasOwnLimit = (name: string) => kinds.get(name)?.concurrency !== undefined
  // No kind has the empty name.
  const poolOf = (name: string) => (hasOwnLimit(name) ? name : '')
  const limitOf = (pool: string) => kinds.get(pool)?.concurrency ?? sharedLimit
  const laneLimitOf = (name: string) => kinds.get(name)?.laneConcurrency ?? Number.POSITIVE_INFINITY
  const freeIn = (pool: string) => Math.max(0, limitOf(pool) - (byPool.get(pool) ?? 0))

  const isOpen = (name: string) => freeIn(poolOf(name)) > 0

  function add(counts: Map<string, number>, key: string, difference: number) {
    const count = (counts.get(key) ?? 0) + difference
    if (count === 0) counts.delete(key)
    else counts.set(key, count)
  }

  const laneLimits = new Map<string, number>()

  function change(job: Occupant, difference: number) {
    const { name, lane } = job
    if (isSuspect(job)) suspects += difference
    add(byPool, poolOf(name), difference)
    if (lane === null) return
    laneLimits.set(lane, laneLimitOf(name))
    add(byLane, lane, difference)
    if (!byLane.has(lane)) laneLimits.delete(lane)
  }

  return {
    openKinds: () => kinds.names.filter(isOpen),
    fullKinds: () => kinds.names.filter((name) => !isOpen(name)),
    fullLanes: () =>
      [...byLane].flatMap(([lane, count]) => (count >= (laneLimits.get(lane) ?? 0) ? [lane] : [])),
    mostDeaths: () => (suspects === 0 ? mostDeathsEver : deathsOfSuspect - 1),
    free() {
      const pools = new Set(kinds.names.map(poolOf))
      return [...pools].reduce((sum, pool) => sum + freeIn(pool), 0)
    },
    occupy: (job) => change(job, 1),
    vacate: (job) => change(job, -1),
    admission() {
      const pools = new Map(byPool)
      const lanes = new Map(byLane)
      let suspectsAdmitted = suspects
      return (job) => {
        const { name, lane } = job
        const pool = poolOf(name)
        if (isSuspect(job) && suspectsAdmitted > 0) return false
        if ((pools.get(pool) ?? 0) >= limitOf(pool)) return false
        if (lane !== null && (lanes.get(lane) ?? 0) >= laneLimitOf(name)) return false
        if (isSuspect(job)) suspectsAdmitted += 1
        add(pools, pool, 1)
        if (lane !== null) add(lanes, lane, 1)
        return true
      }
    },
  }
}
