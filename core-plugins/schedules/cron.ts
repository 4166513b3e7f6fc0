import { Cron } from 'croner'
import type { ErrorDetail } from '../http/http.ts'

/** The next time after `from` at which the expression is due; null if there is none. */
export function nextRun(expression: string, timezone: string, from: Date): string | null {
  return new Cron(expression, { timezone, paused: true }).nextRun(from)?.toISOString() ?? null
}

/**
 * The problems of an expression at `path` of a payload: none if it is a cron expression that is due at some
 * time.
 */
export function cronProblems(path: string, expression: string, timezone: string): ErrorDetail[] {
  const message = cronProblem(expression, timezone)
  return message === undefined ? [] : [{ path, code: 'cron', message }]
}

/** The problem with an expression, if any. */
export function cronProblem(expression: string, timezone: string): string | undefined {
  try {
    if (nextRun(expression, timezone, new Date()) === null) return 'is never due'
    return undefined
  } catch {
    return 'must be a cron expression such as "0 3 * * *": minute, hour, day of month, month, day of week'
  }
}
