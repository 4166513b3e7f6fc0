import type { Log } from '../../../kernel/index.ts'

/**
 * Logs one line when Redis is lost and one when it can be reached again, regardless of the number of connections and
 * attempts.
 */
export interface OutageLog {
  lost(connection: object, error: Error): void
  back(connection: object): void
  /** The connection has been closed and no longer says anything about Redis. */
  forget(connection: object): void
}

/**
 * Minimum duration of an outage, in milliseconds: a process that was busy itself, as at its start, may not have read
 * an answer yet, and asks again.
 */
const shortestMs = 1_000

export function createOutageLog(log: Log): OutageLog {
  const gone = new Set<object>()
  let isTold = false
  let timer: NodeJS.Timeout | undefined

  function remove(connection: object): void {
    gone.delete(connection)
    if (gone.size > 0) return
    clearTimeout(timer)
    timer = undefined
  }

  return {
    lost(connection, error) {
      gone.add(connection)
      if (isTold || timer !== undefined) return
      timer = setTimeout(() => {
        timer = undefined
        isTold = true
        log.warn({ err: error }, 'Redis cannot be reached; continuing without it and retrying')
      }, shortestMs).unref()
    },
    back(connection) {
      remove(connection)
      if (!isTold || gone.size > 0) return
      log.info({}, 'Redis is back')
      isTold = false
    },
    forget: remove,
  }
}
