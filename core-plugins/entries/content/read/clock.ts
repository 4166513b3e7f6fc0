import type { Dialect } from '../../../foundation/database/database.ts'

/** A moment in ISO 8601, and in the form in which statements bind it. */
export interface Moment {
  readonly now: string
  readonly bound: unknown
}

/** Returns the current moment; reads within one millisecond share it. */
export function createClock({ bind }: Pick<Dialect, 'bind'>): () => Moment {
  let writtenMs = Number.NaN
  let moment: Moment = { now: '', bound: undefined }
  return () => {
    const nowMs = Date.now()
    if (nowMs === writtenMs) return moment
    const now = new Date(nowMs).toISOString()
    writtenMs = nowMs
    moment = { now, bound: bind(now, 'datetime') }
    return moment
  }
}
