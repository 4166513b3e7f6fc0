import type { Change, ChangeLog } from '../../entries/changes/changes.ts'
import type { Recipient } from '../../foundation/database/database.ts'
import { AppError } from '../../foundation/http/http.ts'
import { type Following, maxTypes } from './following.ts'
import { type ToldChange, tellChanges } from './told-changes.ts'
import { type Look, withinAnswer } from './visible-entries.ts'

/** The visible changes of a stretch of the log. */
export interface FeedPage {
  readonly changes: readonly ToldChange[]
  /** The end of the stretch. */
  readonly position: number
  readonly hasMore: boolean
  /** Milliseconds until a known change takes effect; undefined if there is none. */
  readonly dueInMs: number | undefined
}

export interface FeedRequest {
  readonly following: Following
  readonly position: number
  /** The maximum number of log entries to read. */
  readonly limit: number
  readonly recipient: Recipient
}

export interface Feed {
  /** @throws AppError 410 if the log no longer contains the position, or never did */
  read(request: FeedRequest): Promise<FeedPage>
  /** @throws AppError 410 */
  positionIn(cursor: string): number
}

export interface FeedParts {
  readonly log: ChangeLog
  readonly look: Look
}

/** Reads the log for callers. */
export function createFeed({ log, look }: FeedParts): Feed {
  /**
   * Contains everything committed before the call, or says that more follows: a stretch that ends before the head is not the
   * last one.
   */
  async function stretchAfter(position: number, limit: number) {
    const found = await log.after(position, limit)
    if (found === undefined) throw expired()
    if (found.hasMore) return found
    const head = await log.head()
    // After a restore by other means than ours, the database may be behind its readers.
    if (head < position) throw expired()
    if (head === found.position) return found
    if (found.changes.length > 0) return { ...found, hasMore: true }
    return (await log.after(position, limit)) ?? Promise.reject(expired())
  }

  return {
    read({ following, position, limit, recipient }) {
      return withinAnswer(limit, following, async (count, shown) => {
        const stretch = await stretchAfter(position, count)
        const { changes, dueInMs } = readable(stretch.changes, shown)
        const isCut = changes.length < stretch.changes.length
        const told = await tellChanges(changes, {
          following: shown,
          findVisible: look(shown, recipient),
          cursorOf: log.cursorOf,
        })
        return {
          changes: told,
          position: changes.at(-1)?.position ?? (isCut ? position : stretch.position),
          hasMore: dueInMs === undefined && (isCut || stretch.hasMore),
          dueInMs,
        }
      })
    },
    positionIn(cursor) {
      const position = log.positionIn(cursor)
      if (position === undefined) throw expired()
      return position
    },
  }
}

/** Larger differences between clocks are not waited for. */
const maxAheadMs = 60_000

/**
 * The changes up to the first one that, by the clock of this process, is still in the future. This clock also decides what is
 * published, so an entry that another process publishes a second from now would be reported as hidden, and not again.
 */
function readable(changes: readonly Change[], { types }: Following) {
  const nowMs = Date.now()
  const touched = new Set<string>()
  for (const [index, { at, isPublic, type = '' }] of changes.entries()) {
    const dueInMs = isPublic ? Date.parse(at) - nowMs : 0
    if (dueInMs > 0 && dueInMs <= maxAheadMs) return { changes: changes.slice(0, index), dueInMs }
    if (types.has(type)) touched.add(type)
    if (touched.size > maxTypes) return { changes: changes.slice(0, index), dueInMs: undefined }
  }
  return { changes, dueInMs: undefined }
}

function expired(): AppError {
  const message = 'this cursor goes back further than the log; begin anew with a snapshot'
  return new AppError('CURSOR_EXPIRED', message, {
    details: [
      { path: 'since', code: 'expired', message: 'take a snapshot: it answers a cursor to go on from' },
    ],
  })
}
