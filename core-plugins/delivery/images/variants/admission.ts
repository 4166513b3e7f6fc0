import { AppError } from '../../../foundation/http/http.ts'

export interface AdmissionOptions {
  /** The maximum number of concurrent calls. */
  readonly atOnce: number
  /** The maximum number of waiting calls. */
  readonly maxWaiting: number
  /** The maximum wait of a call, in milliseconds. */
  readonly waitMs: number
}

/** Runs work with limited concurrency, and refuses it if it would wait too long. @throws AppError 503 */
export type Admit = <T>(work: () => Promise<T>) => Promise<T>

export function createAdmission({ atOnce, maxWaiting, waitMs }: AdmissionOptions): Admit {
  const waiting: (() => void)[] = []
  let running = 0

  function enter(): Promise<void> {
    if (running < atOnce) {
      running++
      return Promise.resolve()
    }
    if (waiting.length >= maxWaiting) return Promise.reject(tooBusy())
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(begin), 1)
        reject(tooBusy())
      }, waitMs)
      const begin = () => {
        clearTimeout(timer)
        resolve()
      }
      waiting.push(begin)
    })
  }

  return async (work) => {
    await enter()
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) running--
      else next()
    }
  }
}

function tooBusy(): AppError {
  return new AppError('UNAVAILABLE', 'too many images are waiting to be made; try again soon', {
    reason: 'queue_full',
    headers: { 'retry-after': '5' },
  })
}
