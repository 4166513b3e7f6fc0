import { anySignal } from './any-signal.ts'

/** How long a task may take, and what else ends it. */
export interface TimeLimit {
  readonly limitMs: number
  /** The message of the error thrown when the time is up. */
  readonly message: string
  /** Ends the wait at once; its reason is thrown. */
  readonly stop?: AbortSignal
}

/** What a task with a time limit receives. */
export interface Limited {
  /** Aborted when the wait ends early. */
  readonly signal: AbortSignal
  /** Restarts the time limit. */
  readonly reportProgress: () => void
}

/**
 * Waits for `task` no longer than the limit, counted from its start or from the last progress it reported.
 * The outcome of a task that ignores its signal is discarded.
 */
export async function runWithin<T>(
  { limitMs, message, stop }: TimeLimit,
  task: (limited: Limited) => T | Promise<T>,
): Promise<T> {
  const timeout = new AbortController()
  const timer = setTimeout(() => timeout.abort(new Error(message)), limitMs)
  const signal = anySignal(timeout.signal, stop)
  // `refresh` would restart a timer that has been cleared.
  const reportProgress = () => {
    if (!isOver) timer.refresh()
  }
  let isOver = false
  const ended = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  try {
    signal.throwIfAborted()
    // Async, so that `ended` is raced, and thereby handled, even if the task throws synchronously.
    const run = async () => task({ signal, reportProgress })
    return await Promise.race([run(), ended])
  } finally {
    isOver = true
    clearTimeout(timer)
  }
}
