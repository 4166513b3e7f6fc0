import { Cron } from 'croner'
import type { ErrorDetail } from '../../foundation/http/http.ts'

/** The next time after `from` at which the expression is due; null if there is none. */
export function nextRun(expression: string, timezone: string, from: Date): string | null {
  return new Cron(expression, { timezone, paused: true }).nextRun(from)?.toISOString() ?? null
}

/** The problems of an expression at `path` of a payload; empty if it is a valid cron expression that is ever due. */
export function cronProblems(path: string, expression: string, timezone: string): ErrorDetail[] {
  const message = cronProblem(expression, timezone)
  return message === undefined ? [] : [{ path, code: 'cron', message }]
}

/**
 * Five fields, six with seconds first, or a nickname such as `@daily`. The library also accepts seven fields, a single date, and
 * a plus sign for "and", which no other cron supports.
 */
const form = /^\s*(?:@[a-z]+|(?:[\w*,/?#-]+\s+){4,5}[\w*,/?#-]+)\s*$/i

/** The problem with an expression, if any. */
export function cronProblem(expression: string, timezone: string): string | undefined {
  if (!form.test(expression)) return rule
  try {
    if (nextRun(expression, timezone, new Date()) === null) return 'is never due'
    return undefined
  } catch {
    return rule
  }
}

const rule =
  'must be a cron expression such as "0 3 * * *": minute, hour, day of month, month, day of week; a sixth field before them is for seconds'
