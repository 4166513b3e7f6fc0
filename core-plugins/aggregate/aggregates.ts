import { LRUCache } from 'lru-cache'
import type { Auth } from '../auth/auth.ts'
import type { ContentQueries, EntrySelection } from '../content/content.ts'
import type { Database, Row, Statement } from '../database/database.ts'
import type { ErrorDetail } from '../http/http.ts'
import type { AggregateResult, Aggregates, AggregateValue } from './aggregate.ts'
import { type AggregateQuery, ownParameters, parseAggregateQuery } from './aggregate-query.ts'
import { aggregateStatement, countName, groupName, partsOf, valueName } from './aggregate-statement.ts'
import { averageOf, sumOf } from './exact-number.ts'

interface AggregatesDeps {
  readonly auth: Auth
  readonly database: Database
  readonly contentQueries: ContentQueries
}

/** Statements are few, as for lists; the limit protects against hostile callers. */
const maxKeptStatements = 500

export function createAggregates({
  auth,
  database,
  contentQueries,
}: AggregatesDeps): Pick<Aggregates, 'aggregate'> {
  const statements = new LRUCache<string, Statement<Row>>({ max: maxKeptStatements })

  function statementOf(query: AggregateQuery, selection: EntrySelection): Statement<Row> {
    const { function: name, field, groupBy } = query
    const key = [name, field?.name ?? '', groupBy.map((each) => each.name), selection.key].join(' ')
    const kept = statements.get(key)
    if (kept !== undefined) return kept
    const made = aggregateStatement(database, query, selection.sql())
    statements.set(key, made)
    return made
  }

  return {
    async aggregate(type, rawQuery, principal, recipient) {
      if (!auth.mayContent(principal, type, 'read')) auth.refuse(principal)
      const problems: ErrorDetail[] = []
      const query = parseAggregateQuery(rawQuery, (name) => contentQueries.field(type, name), problems)
      const fields = [...query.groupBy, ...(query.field === undefined ? [] : [query.field])]
      const selection = contentQueries.select({
        ...{ type, rawQuery, principal, recipient, ownParameters, fields, problems },
      })
      const rows = await database.all(statementOf(query, selection), selection.values, recipient)
      return resultOf(query, rows)
    },
  }
}

function resultOf(query: AggregateQuery, rows: readonly Row[]): AggregateResult {
  if (query.groupBy.length === 0) return { value: measuredValue(query, rows[0] ?? {}) }
  return rows.map((row) => ({ group: groupOf(query, row), value: measuredValue(query, row) }))
}

function groupOf({ groupBy }: AggregateQuery, row: Row): Record<string, AggregateValue> {
  const values = groupBy.map(({ name }, index) => [name, row[groupName(index)]])
  return Object.fromEntries(values)
}

function measuredValue({ function: name }: AggregateQuery, row: Row): AggregateValue {
  if (name !== 'sum' && name !== 'avg') return (row[valueName] ?? null) as AggregateValue
  const count = Number(row[countName] ?? 0)
  if (count === 0) return null
  return name === 'sum' ? sumOf(partsOf(row)) : averageOf(partsOf(row), count)
}
