import type { Query } from '../statements/query.ts'
import type { Queries } from '../statements/query-target.ts'
import type { Values } from '../statements/statement.ts'

/** The requested part of a list. */
export interface Range {
  readonly limit: number
  readonly offset: number
}

/** Reads the rows of a page and the total number of rows. */
export type Page<R, V = Values> = (
  values: V & Range,
  on?: Queries,
) => Promise<{ readonly rows: R[]; readonly total: number }>

/** `rows` binds `limit` and `offset`; `count` has the same condition. */
export function pageOf<R, V>(rows: Query<R, V>, count: Query<{ readonly total: number }, V>): Page<R, V> {
  return async (values, on) => {
    const [found, counted] = await Promise.all([rows.all(values, on), count.get(values, on)])
    return { rows: found, total: counted?.total ?? 0 }
  }
}
