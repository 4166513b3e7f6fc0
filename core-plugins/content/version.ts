import { AppError, Reply } from '../http/http.ts'
import type { Entry } from './content.ts'

/**
 * What tells one version of an entry from the next: every write of an entry moves it forward,
 * by a millisecond at least, even where the clock stands still or goes back.
 */
export const versionColumn = 'updated_at'

/** The entry's version as ETags carry it; the column must be selected. */
export function versionOf(entry: Readonly<Record<string, unknown>>): string {
  return Date.parse(String(entry[versionColumn])).toString(36)
}

/** The `updated_at` of a write at `now` to the entry as it was. */
export function nextUpdatedAt(now: string, before: Entry): string {
  const previous = String(before[versionColumn])
  return now > previous ? now : new Date(Date.parse(previous) + 1).toISOString()
}

/** A tag may have become weak on its way: proxies that compress an answer weaken it. */
function versionIn(tag: string): string | undefined {
  return /^(?:W\/)?"?([^-"]*)/.exec(tag.trim())?.[1]
}

/** The answer with an entry that was written: its ETag is what the next write can be made on. */
export function writtenReply(entry: Entry, status = 200): Reply {
  const version = entry[versionColumn] === undefined ? {} : { version: versionOf(entry) }
  return new Reply(status, { kind: 'data', data: entry, ...version })
}

/**
 * Refuses a write that was made on the sight of an older version, or on that of no version at all.
 * @throws AppError 412
 */
export function requireVersion(ifMatch: string | undefined, entry: Entry): void {
  if (ifMatch === undefined || ifMatch.trim() === '*') return
  const version = versionOf(entry)
  const isCurrent = ifMatch.split(',').some((tag) => versionIn(tag) === version)
  if (isCurrent) return
  const message = 'the entry has changed since it was read; read it again and repeat the change'
  throw new AppError('PRECONDITION_FAILED', message)
}
