import { type SQL, sql } from 'drizzle-orm'
import type { Dialect, RelatedRows } from '../database.ts'

function exists(value: SQL, { key, from, where }: RelatedRows): SQL {
  return sql`exists (select 1 from ${from} where ${key} = ${value} and ${where})`
}

/** For planners that make a join of `exists` where that is better, and of its opposite where that stands alone. */
export const relatedByExists: Pick<Dialect, 'isRelated' | 'isUnrelated'> = {
  isRelated: exists,
  isUnrelated: (value, related) => sql`not ${exists(value, related)}`,
}
