import type { Awaitable } from '../content/content.ts'

/** Goes on with the value: at once where it is there, as reads from SQLite are. */
export function andThen<T, Result>(
  value: Awaitable<T>,
  next: (value: T) => Awaitable<Result>,
): Awaitable<Result> {
  return value instanceof Promise ? value.then(next) : next(value)
}
