import { parseMoment } from '../../foundation/database/database.ts'
import { AppError, type ErrorDetail } from '../../foundation/http/http.ts'

/** When an entry becomes public, and when it stops being public; ISO 8601. */
export interface PublicationTimes {
  /** In the future: scheduled. Left out: now. */
  readonly publishedAt?: string
  /** Null: no end. Left out: unchanged. */
  readonly unpublishAt?: string | null
}

/** The times that a client sends with a publication, in the form in which they are stored. @throws AppError 400 */
export function publicationTimesIn(input: Readonly<Record<string, unknown>>): PublicationTimes {
  const problems: ErrorDetail[] = []
  const publishedAt = momentIn(input, 'publishedAt', problems)
  const unpublishAt = input.unpublishAt === null ? null : momentIn(input, 'unpublishAt', problems)
  if (problems.length > 0) throw AppError.invalid(problems)
  return {
    ...(publishedAt === undefined ? {} : { publishedAt }),
    ...(unpublishAt === undefined ? {} : { unpublishAt }),
  }
}

function momentIn(
  input: Readonly<Record<string, unknown>>,
  path: keyof PublicationTimes,
  problems: ErrorDetail[],
): string | undefined {
  if (input[path] === undefined) return undefined
  const moment = parseMoment(String(input[path]))
  if (moment === undefined) {
    const message = 'must be an ISO 8601 time with an offset, such as 2026-01-31T08:00:00Z'
    problems.push({ path, code: 'format', message })
  }
  return moment
}
