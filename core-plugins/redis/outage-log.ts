import type { Log } from '../../kernel/index.ts'

/** Logs one line when Redis is lost and one when it is back, however many connections and attempts there are. */
export interface OutageLog {
  lost(connection: object, error: Error): void
  back(connection: object): void
  /** It has been closed, and says nothing about Redis any more. */
  forget(connection: object): void
}

export function createOutageLog(log: Log): OutageLog {
  const gone = new Set<object>()
  let isTold = false
  return {
    lost(connection, error) {
      gone.add(connection)
      if (!isTold) log.warn({ err: error }, 'Redis cannot be reached; continuing without it and retrying')
      isTold = true
    },
    back(connection) {
      gone.delete(connection)
      if (!isTold || gone.size > 0) return
      log.info({}, 'Redis is back')
      isTold = false
    },
    forget: (connection) => void gone.delete(connection),
  }
}
