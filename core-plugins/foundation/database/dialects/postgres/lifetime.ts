const minute = 60_000
// What a timer can hold.
const longest = 2 ** 31 - 1

/**
 * How long a connection is used, in milliseconds: what `max_lifetime` in the URL says in seconds, else 30 to
 * 60 minutes, so that not all are replaced at once.
 */
export function lifetimeMs(url: string): number {
  const seconds = Number(/[?&]max_lifetime=(\d+)/.exec(url)?.[1] ?? 0)
  return seconds > 0 ? Math.min(seconds * 1000, longest) : (30 + Math.random() * 30) * minute
}
