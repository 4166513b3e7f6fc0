/**
 * A value that is there now or comes later. SQLite answers at once, in this process: a read that never waits
 * is answered inside of the server's own callback, which saves a good part of what a small request costs.
 */
export type Awaitable<T> = T | Promise<T>

/** Goes on with the value: at once where it is there. */
export function andThen<T, Result>(
  value: Awaitable<T>,
  next: (value: T) => Awaitable<Result>,
): Awaitable<Result> {
  return value instanceof Promise ? value.then(next) : next(value)
}
