/** How long a task may take, and what else ends it. */
export interface TimeLimit {
  readonly limitMs: number
  /** The message of the error when the time is up. */
  readonly message: string
  /** Ends the wait at once; its reason is thrown. */
  readonly stop: AbortSignal
}

/**
 * Waits for `task` as long as the limit allows. Its signal is aborted when the wait ends early; a task
 * that goes on regardless goes on unobserved.
 */
export async function runWithin<T>(
  { limitMs, message, stop }: TimeLimit,
  task: (signal: AbortSignal) => T | Promise<T>,
): Promise<T> {
  const timeout = new AbortController()
  const timer = setTimeout(() => timeout.abort(new Error(message)), limitMs)
  const signal = AbortSignal.any([timeout.signal, stop])
  const ended = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  try {
    signal.throwIfAborted()
    // Async, so that `ended` is raced and thereby handled even if the task throws at once.
    const run = async () => task(signal)
    return await Promise.race([run(), ended])
  } finally {
    clearTimeout(timer)
  }
}
