/** What is refused, in this order; the place of a class in the list is its rank. Callers with an account never are. */
export const shedClasses = ['dear', 'anonymous'] as const

export type ShedClass = (typeof shedClasses)[number]

export const rankOf: Readonly<Record<ShedClass, number>> = { dear: 0, anonymous: 1 }

/** By how many times limits were exceeded all through an interval; up to 1: not exceeded. */
export interface Excess {
  /** The pressure on resources that all requests share. */
  readonly shared: number
  /** Of the connections for costly reads. */
  readonly costly: number
}

/** By how much the pressure rises in an interval, for each time that the limit is exceeded; at most five. */
const rise = 0.1
const mostTimes = 5
/** By how much it falls in an interval within the limits. */
const fall = 0.2
/** Of intervals without a look in between. */
const mostIntervals = 5

/** How far the pressure may rise. Costly reads wait among themselves, so that refusing others would not help them. */
function ceilingOf({ shared, costly }: Excess): number {
  if (shared > 1) return rankOf.anonymous + 1
  return costly > 1 ? rankOf.dear + 1 : 0
}

/**
 * The pressure after so many intervals: 0 refuses nothing; of a class all are refused from its rank plus one, and a part of
 * them between its rank and that.
 */
export function pressureAfter(pressure: number, excess: Excess, intervals: number): number {
  const ceiling = ceilingOf(excess)
  const steps = Math.min(mostIntervals, intervals)
  if (pressure > ceiling) return Math.max(ceiling, pressure - fall * steps)
  const times = Math.min(mostTimes, Math.max(excess.shared, excess.costly))
  return Math.min(ceiling, pressure + rise * times * steps)
}
