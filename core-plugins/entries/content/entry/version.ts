import { AppError, isVersionMatch, Reply } from '../../../foundation/http/http.ts'
import type { Entry } from './entry.ts'

/**
 * The column that distinguishes versions of an entry: every write increases it by at least a millisecond,
 * even if the clock stands still or goes back.
 */
export const versionColumn = 'updated_at'

/**
 * The entry's version as ETags carry it; the column must be selected. It is the timestamp without the hyphens of its date, copied
 * as text: parsing it into a number would take longer than all other headers.
 */
export function versionOf(entry: Readonly<Record<string, unknown>>): string {
  const text = String(entry[versionColumn])
  return text.slice(0, 4) + text.slice(5, 7) + text.slice(8)
}

/** The new `updated_at` for a write at `now`, given the entry before the write. */
export function nextUpdatedAt(now: string, before: Entry): string {
  const previous = String(before[versionColumn])
  return now > previous ? now : new Date(Date.parse(previous) + 1).toISOString()
}

/** The response to a write; its ETag is the version that the next write can name in `If-Match`. */
export function writtenReply(entry: Entry, status = 200): Reply {
  const version = entry[versionColumn] === undefined ? {} : { version: versionOf(entry) }
  return new Reply(status, { kind: 'data', data: entry, ...version })
}

/**
 * Refuses a write based on an older version of the entry, or on none of its versions.
 * @throws AppError 412
 */
export function assertVersion(ifMatch: string | undefined, entry: Entry): void {
  if (ifMatch === undefined || ifMatch.trim() === '*') return
  if (isVersionMatch(ifMatch, versionOf(entry))) return
  const message = 'the entry has changed since it was read; read it again and repeat the change'
  throw new AppError('PRECONDITION_FAILED', message)
}
