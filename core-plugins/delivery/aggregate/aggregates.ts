import { LRUCache } from 'lru-cache'
import { upTo } from '../../../kernel/index.ts'
import type { Auth } from '../../accounts/auth/auth.ts'
import type { ContentQueries, EntrySelection, SelectionRequest } from '../../entries/content/content.ts'
import type { Database, Row, Statement } from '../../foundation/database/database.ts'
import type { ErrorDetail, Principal } from '../../foundation/http/http.ts'
import type { AggregateResult, Aggregates, AggregateValue, MeasuredGroup } from './aggregate.ts'
import {
  type AggregateQuery,
  type Measure,
  ownParameters,
  parseAggregateQuery,
  resolveAggregateQuery,
} from './aggregate-query.ts'
import { aggregateStatement, countName, groupName, partsOf, valueName } from './aggregate-statement.ts'
import { averageOf, sumOf } from './exact-number.ts'

interface AggregatesDeps {
  readonly auth: Auth
  readonly database: Database
  readonly contentQueries: ContentQueries
}

/** There are few different statements, as for lists; the limit protects against hostile callers. */
const maxKeptStatements = 500

export function createAggregates({
  auth,
  database,
  contentQueries,
}: AggregatesDeps): Pick<Aggregates, 'aggregate' | 'measure'> {
  const statements = new LRUCache<string, Statement<Row>>(upTo(maxKeptStatements))

  function statementOf(query: AggregateQuery, selection: EntrySelection): Statement<Row> {
    const measures = query.measures.map(({ function: name, field }) => `${name}(${field?.name ?? ''})`)
    const key = [measures, query.groupBy.map((each) => each.name), selection.key].join(' ')
    const kept = statements.get(key)
    if (kept !== undefined) return kept
    const made = aggregateStatement(database, query, selection.sql())
    statements.set(key, made)
    return made
  }

  function assertReadable(type: string, principal: Principal): void {
    if (!auth.mayContent(principal, type, 'read')) auth.refuse(principal)
  }

  async function rowsOf(query: AggregateQuery, request: Omit<SelectionRequest, 'fields' | 'ownParameters'>) {
    const fields = [...query.groupBy, ...query.measures.flatMap(({ field }) => field ?? [])]
    const selection = contentQueries.select({ ...request, ownParameters, fields })
    const { recipient } = request
    const values = { ...selection.values, ...(await selection.readValues?.(recipient)) }
    return database.all(statementOf(query, selection), values, recipient)
  }

  return {
    async aggregate(type, rawQuery, principal, recipient) {
      assertReadable(type, principal)
      const problems: ErrorDetail[] = []
      const query = parseAggregateQuery(rawQuery, (name) => contentQueries.field(type, name), problems)
      return resultOf(query, await rowsOf(query, { type, rawQuery, principal, recipient, problems }))
    },
    async measure(type, request, principal, recipient) {
      assertReadable(type, principal)
      const problems: ErrorDetail[] = []
      const query = resolveAggregateQuery(request, (name) => contentQueries.field(type, name), problems)
      const rawQuery = request.selection
      const rows = await rowsOf(query, { type, rawQuery, principal, recipient, problems })
      return rows.map((row) => measuredGroup(query, row))
    },
  }
}

function resultOf(query: AggregateQuery, rows: readonly Row[]): AggregateResult {
  const groups = rows.map((row) => measuredGroup(query, row))
  if (query.groupBy.length === 0) return { value: groups[0]?.values[0] ?? null }
  return groups.map(({ group, values: [value = null] }) => ({ group, value }))
}

function measuredGroup(query: AggregateQuery, row: Row): MeasuredGroup {
  const values = query.measures.map((measure, index) => measuredValue(measure, index, row))
  return { group: groupOf(query, row), values }
}

function groupOf({ groupBy }: AggregateQuery, row: Row): Record<string, AggregateValue> {
  const values = groupBy.map(({ name }, index) => [name, row[groupName(index)]])
  return Object.fromEntries(values)
}

function measuredValue({ function: name }: Measure, index: number, row: Row): AggregateValue {
  if (name !== 'sum' && name !== 'avg') return (row[valueName(index)] ?? null) as AggregateValue
  const count = Number(row[countName(index)] ?? 0)
  if (count === 0) return null
  const parts = partsOf(row, index)
  return name === 'sum' ? sumOf(parts) : averageOf(parts, count)
}
