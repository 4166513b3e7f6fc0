import { AppError } from '../http/http.ts'

/** Runs tasks at most so many at a time, and refuses more: each may wait long for somebody else. */
export function createFewAtATime(most: number) {
  let running = 0
  return async function fewAtATime<T>(task: () => Promise<T>): Promise<T> {
    if (running >= most) {
      const headers = { 'retry-after': '1' }
      throw new AppError('UNAVAILABLE', 'too many people are signing in; try again soon', { headers })
    }
    running++
    try {
      return await task()
    } finally {
      running--
    }
  }
}
