import { sql } from 'drizzle-orm'
import { type Database, query } from '../../foundation/database/database.ts'
import type { Schemas } from '../../foundation/schemas/schemas.ts'
import type { Change } from './changes.ts'

/** When entries of a type become public without a write, in epoch milliseconds. */
interface Times {
  /** The last time at which an entry did, or may have. */
  last: number
  /** The next such time; undefined: unknown. */
  next: number | undefined
  isLoading: boolean
  /**
   * Counts the changes that may have brought the next time forward, so that a load that began before such a change is discarded.
   */
  touched: number
}

/** Knows when entries become public without a write, for the types that callers ask about. */
export interface PublicationClock {
  /** Whether no entry of these types has become public since a time (epoch milliseconds). False while that is unknown. */
  isQuiet(types: Iterable<string>, sinceMs: number): boolean
  /** The next time for these types; undefined if unknown. */
  nextOf(types: Iterable<string>): number | undefined
  apply(change: Change): void
}

export function createPublicationClock(database: Database, schemas: Schemas): PublicationClock {
  const byType = new Map<string, Times>()
  const loads = new Map<string, (now: string) => Promise<string | null>>()

  function timesOf(type: string): Times {
    let times = byType.get(type)
    if (times === undefined) {
      times = { last: 0, next: undefined, isLoading: false, touched: 0 }
      byType.set(type, times)
    }
    return times
  }

  function loaderOf(type: string): (now: string) => Promise<string | null> {
    let load = loads.get(type)
    if (load === undefined) {
      const table = schemas.types.get(type)?.table
      if (table === undefined) throw new Error(`there is no content type ${type}`)
      const next = query<{ at: string | null }>(
        database,
        (value) => sql`select min(published_at) as ${sql.identifier('at')} from ${sql.identifier(table)}
          where published_at > ${value('now', 'datetime')}`,
        { at: { column: 'at', kind: 'datetime' } },
      )
      load = async (now) => (await next.get({ now }))?.at ?? null
      loads.set(type, load)
    }
    return load
  }

  async function load(type: string, times: Times): Promise<void> {
    if (times.isLoading) return
    times.isLoading = true
    const { touched } = times
    const fromMs = Date.now()
    try {
      const at = await loaderOf(type)(new Date(fromMs).toISOString())
      if (touched !== times.touched) return
      // Entries may have become public while the times were unknown, but not after `fromMs`: earlier answers are not trusted.
      times.last = Math.max(times.last, fromMs)
      times.next = at === null ? Number.POSITIVE_INFINITY : Date.parse(at)
    } catch {
      // Stays unknown: answers that depend on it are not kept, and the next caller tries again.
    } finally {
      times.isLoading = false
    }
  }

  /** The times of a type, after moving on if the next time has passed. */
  function currentTimes(type: string): Times {
    const times = timesOf(type)
    if (times.next !== undefined && times.next <= Date.now()) {
      times.last = Math.max(times.last, times.next)
      times.next = undefined
    }
    if (times.next === undefined) void load(type, times)
    return times
  }

  return {
    isQuiet(types, sinceMs) {
      for (const type of types) {
        const { next, last } = currentTimes(type)
        // A read that begins in the same millisecond sees the entry, because reads take their time after they begin.
        if (next === undefined || last > sinceMs) return false
      }
      return true
    },
    nextOf(types) {
      let nearest = Number.POSITIVE_INFINITY
      for (const type of types) {
        const { next } = currentTimes(type)
        if (next === undefined) return undefined
        nearest = Math.min(nearest, next)
      }
      return nearest
    },
    apply(change) {
      if (change.kind === 'draft') return
      for (const [name, times] of byType) {
        if (change.type === undefined || change.type === name) heed(times, change)
      }
    },
  }
}

/** Brings the next time forward if the change demands it. */
function heed(times: Times, { type, kind, after, at: writtenAt }: Change): void {
  const at = after?.published_at
  const isKnown = type !== undefined && kind !== 'reset' && (after === null || at !== undefined)
  // In the future at the time of the write; it may be past by now if another process wrote it some time ago.
  const isToCome = typeof at === 'string' && at > writtenAt
  if (isKnown && !isToCome) return
  times.touched += 1
  if (!isKnown) times.next = undefined
  else if (times.next !== undefined) times.next = Math.min(times.next, Date.parse(String(at)))
}
