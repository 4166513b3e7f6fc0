/** How long a task may take, and what else ends it. */
export interface TimeLimit {
  readonly limitMs: number
  /** The message of the error when the time is up. */
  readonly message: string
  /** Ends the wait at once; its reason is thrown. */
  readonly stop?: AbortSignal
}

/** What a task with a time limit gets. */
export interface Limited {
  /** Aborted when the wait ends early. */
  readonly signal: AbortSignal
  /** Has the limit count from now on. */
  readonly reportProgress: () => void
}

/**
 * Waits for `task` as long as the limit allows, counted from its beginning or from the last progress that it
 * reported. A task that goes on regardless of its signal goes on unobserved.
 */
export async function runWithin<T>(
  { limitMs, message, stop }: TimeLimit,
  task: (limited: Limited) => T | Promise<T>,
): Promise<T> {
  const timeout = new AbortController()
  const timer = setTimeout(() => timeout.abort(new Error(message)), limitMs)
  const signal = stop === undefined ? timeout.signal : AbortSignal.any([timeout.signal, stop])
  // A timer that was cleared would be set again.
  const reportProgress = () => {
    if (!isOver) timer.refresh()
  }
  let isOver = false
  const ended = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  try {
    signal.throwIfAborted()
    // Async, so that `ended` is raced and thereby handled even if the task throws at once.
    const run = async () => task({ signal, reportProgress })
    return await Promise.race([run(), ended])
  } finally {
    isOver = true
    clearTimeout(timer)
  }
}
