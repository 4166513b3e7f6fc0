import { AppError } from '../../foundation/http/http.ts'

/**
 * Limits the tasks running at a time and refuses more instead of queueing them, as each may wait long for a
 * provider: one slow provider must not hold up the process.
 */
export function createBulkhead(maxRunning: number) {
  let running = 0
  return async function inBulkhead<T>(task: () => Promise<T>): Promise<T> {
    if (running >= maxRunning) {
      const headers = { 'retry-after': '1' }
      const reason = 'queue_full'
      throw new AppError('UNAVAILABLE', 'too many people are signing in; try again soon', { reason, headers })
    }
    running++
    try {
      return await task()
    } finally {
      running--
    }
  }
}
