/**
 * The classes of requests in the order in which they are refused; the index is the rank. Callers with an account are never
 * refused.
 */
export const shedClasses = ['dear', 'anonymous'] as const

export type ShedClass = (typeof shedClasses)[number]

export const rankOf: Readonly<Record<ShedClass, number>> = { dear: 0, anonymous: 1 }

/** The ratio of the load to its limit throughout an interval; up to 1 means within the limit. */
export interface Excess {
  /** The load on resources that all requests share. */
  readonly shared: number
  /** The load on the connections for costly reads. */
  readonly costly: number
}

/** The rise of the pressure per interval and per multiple of the limit, at most five. */
const rise = 0.1
const mostTimes = 5
/** The fall per interval within the limits. */
const fall = 0.2
/** The maximum number of intervals counted after a gap in the measurements. */
const mostIntervals = 5

/** The maximum pressure. Costly reads have their own queue, so refusing other requests would not help them. */
function ceilingOf({ shared, costly }: Excess): number {
  if (shared > 1) return rankOf.anonymous + 1
  return costly > 1 ? rankOf.dear + 1 : 0
}

/**
 * The pressure after a number of intervals. 0 refuses nothing. A class is refused completely from its rank plus one, and
 * partly between its rank and that.
 */
export function pressureAfter(pressure: number, excess: Excess, intervals: number): number {
  const ceiling = ceilingOf(excess)
  const steps = Math.min(mostIntervals, intervals)
  if (pressure > ceiling) return Math.max(ceiling, pressure - fall * steps)
  const times = Math.min(mostTimes, Math.max(excess.shared, excess.costly))
  return Math.min(ceiling, pressure + rise * times * steps)
}
