/** Upper bounds of the duration of requests, in seconds; longer ones are counted beyond the last bound. */
export const durationBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** The index of the bucket for a duration; the number of buckets if it is beyond the last bound. */
export function bucketOf(seconds: number): number {
  let bucket = 0
  for (const bound of durationBuckets) {
    if (seconds <= bound) return bucket
    bucket++
  }
  return bucket
}

/**
 * The duration that a given part of all requests did not exceed, estimated within its bucket; null without requests.
 */
export function quantile(counts: readonly number[], part: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0)
  if (total === 0) return null
  let before = 0
  for (const [index, bound] of durationBuckets.entries()) {
    const inside = counts[index] ?? 0
    if (inside > 0 && before + inside >= total * part) {
      const lower = durationBuckets[index - 1] ?? 0
      return lower + ((bound - lower) * (total * part - before)) / inside
    }
    before += inside
  }
  return durationBuckets.at(-1) ?? null
}
