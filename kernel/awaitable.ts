/**
 * A value that is available now or later. An available value is processed at once, in the same stack: a read
 * of SQLite never waits and is answered inside the server's own callback, which saves a good part of the cost
 * of a small request.
 */
export type Awaitable<T> = T | Promise<T>

/** Whether the value comes later. Any thenable counts, as with `await`. */
export function isPromise<T>(value: Awaitable<T>): value is Promise<T> {
  return (
    typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function'
  )
}

/** Continues with the value, synchronously if it is available. */
export function andThen<T, Result>(
  value: Awaitable<T>,
  next: (value: T) => Awaitable<Result>,
): Awaitable<Result> {
  return isPromise(value) ? value.then(next) : next(value)
}

/** Returns the result of `run` or, if it throws or rejects, the result of `recover` for the error. */
export function orElse<T, Other>(
  run: () => Awaitable<T>,
  recover: (error: unknown) => Awaitable<Other>,
): Awaitable<T | Other> {
  try {
    const value = run()
    return isPromise(value) ? value.then<T, Other>(undefined, recover) : value
  } catch (error) {
    return recover(error)
  }
}
