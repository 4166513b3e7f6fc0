import type { Log } from '../kernel/index.ts'

export interface LogLine {
  readonly level: string
  readonly message: string
  readonly [field: string]: unknown
}

/** A log that records its lines, each with the log's bindings and the line's fields. */
export function recordingLog(): { log: Log; lines: LogLine[] } {
  const lines: LogLine[] = []
  const bound = (bindings: Record<string, unknown>): Log => {
    const writer = (level: string) => (fields: object, message: string) =>
      void lines.push({ ...bindings, ...fields, level, message })
    return {
      debug: writer('debug'),
      info: writer('info'),
      warn: writer('warn'),
      error: writer('error'),
      child: (more) => bound({ ...bindings, ...more }),
    }
  }
  return { log: bound({}), lines }
}
