const minute = 60_000
// The longest delay of a timer.
const longest = 2 ** 31 - 1

/**
 * How long a connection is used, in milliseconds: `max_lifetime` in the URL, which is in seconds, or else 30 to 60
 * minutes, random so that not all connections are replaced at once.
 */
export function lifetimeMs(url: string): number {
  const seconds = Number(/[?&]max_lifetime=(\d+)/.exec(url)?.[1] ?? 0)
  return seconds > 0 ? Math.min(seconds * 1000, longest) : (30 + Math.random() * 30) * minute
}
