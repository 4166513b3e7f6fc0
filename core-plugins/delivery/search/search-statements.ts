import { type SQL, sql } from 'drizzle-orm'
import {
  type Database,
  type InList,
  type Query,
  query,
  type Value,
} from '../../foundation/database/database.ts'
import type { SearchEngine } from './engines/engine.ts'

/** A found document. */
export interface Found {
  readonly type: string
  readonly entryId: number
  readonly score: number
}

/** Parameters that change the text of the search statement. */
export interface SearchShape {
  /** Whether words count in certain fields only. */
  readonly isByField: boolean
  readonly hasLocale: boolean
  /** Whether documents with the exact words come first. */
  readonly isExactFirst: boolean
}

export interface SearchStatements {
  /** Best first. */
  readonly page: Query<Found>
  readonly count: Query<{ total: number }>
}

/** Costly, since every found document is ranked word by word. */
const costly = { isCostly: true }

/** Creates the statements for each shape once. */
export function createSearchStatements(
  database: Database,
  engine: SearchEngine,
): (shape: SearchShape) => SearchStatements {
  const kept = new Map<string, SearchStatements>()
  return (shape) => {
    const key = JSON.stringify(shape)
    const made = kept.get(key) ?? createStatements(database, engine, shape)
    kept.set(key, made)
    return made
  }
}

/** Drafts are excluded in the statement itself, so that totals and pages do not reveal them. */
function createStatements(
  database: Database,
  engine: SearchEngine,
  { isByField, hasLocale, isExactFirst }: SearchShape,
): SearchStatements {
  const scope = isByField ? engine.byField : engine.anywhere
  const where = (value: Value, inList: InList): SQL => {
    // Prevents the use of the index on the type: the index on words is more selective, which PostgreSQL cannot know.
    const type = sql`coalesce(d.type, '')`
    const open = inList(type, 'openTypes', 'string')
    const dated = sql`${inList(type, 'datedTypes', 'string')} and d.published_at <= ${value('now', 'datetime')}`
    const locale = sql` and (d.locale is null or d.locale = ${value('locale', 'string')})`
    return sql`${scope.matches(value)} and (${open} or (${dated}))${hasLocale ? locale : sql``}`
  }
  const page = query<Found>(
    database,
    (value, inList) => {
      const exact = isExactFirst ? sql`${scope.isExact(value)} desc, ` : sql``
      return sql`select d.type as ${sql.identifier('type')}, d.entry_id as ${sql.identifier('entryId')},
          ${scope.score(value)} as ${sql.identifier('score')}
        from ${scope.from} where ${where(value, inList)}
        order by ${exact}3 desc, d.type, d.entry_id
        limit ${value('limit', 'integer')} offset ${value('offset', 'integer')}`
    },
    {},
    costly,
  )
  const count = query<{ total: number }>(
    database,
    (value, inList) => sql`select count(*) as ${sql.identifier('total')}
      from ${scope.from} where ${where(value, inList)}`,
    { total: { column: 'total', kind: 'integer' } },
    costly,
  )
  return { page, count }
}
