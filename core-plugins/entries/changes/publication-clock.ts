import { sql } from 'drizzle-orm'
import { type Database, query } from '../../foundation/database/database.ts'
import type { Schemas } from '../../foundation/schemas/schemas.ts'
import type { Change } from './changes.ts'

/** When entries of a type become public by themselves, in epoch milliseconds. */
interface Times {
  /** The last time at which one did, or may have. */
  last: number
  /** The next one; undefined: not known. */
  next: number | undefined
  isLoading: boolean
  /** Counts the changes that may have brought a time nearer, so that a load that is older than one is not believed. */
  touched: number
}

/** Knows when entries become public without a write, of the types that it is asked about. */
export interface PublicationClock {
  /**
   * Whether nothing of these types has become public since a time (epoch milliseconds). False also while that is not
   * known.
   */
  isQuiet(types: Iterable<string>, sinceMs: number): boolean
  /** The next time for these types; undefined if it is not known. */
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
      // What became public while nothing was known is past by now, and in no answer that was begun before it.
      times.last = Math.max(times.last, fromMs)
      times.next = at === null ? Number.POSITIVE_INFINITY : Date.parse(at)
    } catch {
      // It stays unknown: nothing that depends on it is kept, and whoever asks next tries again.
    } finally {
      times.isLoading = false
    }
  }

  /** Moves on when a time has come. */
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
        // Who begins to read in the very millisecond sees it: reads take their time later than they are begun.
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

/** A change may bring the next time nearer. */
function heed(times: Times, { type, kind, after, at: writtenAt }: Change): void {
  const at = after?.published_at
  const isKnown = type !== undefined && kind !== 'reset' && (after === null || at !== undefined)
  // Later than the write, and past by now if another process wrote it some time ago.
  const isToCome = typeof at === 'string' && at > writtenAt
  if (isKnown && !isToCome) return
  times.touched += 1
  if (!isKnown) times.next = undefined
  else if (times.next !== undefined) times.next = Math.min(times.next, Date.parse(String(at)))
}
