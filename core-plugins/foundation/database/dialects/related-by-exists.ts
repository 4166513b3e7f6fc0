import { type SQL, sql } from 'drizzle-orm'
import type { Dialect, RelatedRows } from '../dialect.ts'

function exists(value: SQL, { key, from, where }: RelatedRows): SQL {
  return sql`exists (select 1 from ${from} where ${key} = ${value} and ${where})`
}

/**
 * For planners that turn `exists` into a join if that is better, and also its negation if it is a condition by
 * itself.
 */
export const relatedByExists: Pick<Dialect, 'isRelated' | 'isUnrelated'> = {
  isRelated: exists,
  isUnrelated: (value, related) => sql`not ${exists(value, related)}`,
}
