import { LRUCache } from 'lru-cache'
import { upTo } from '../../../kernel/index.ts'
import type { Auth } from '../../accounts/auth/auth.ts'
import type {
  ContentQueries,
  ContentReads,
  Entry,
  EntryField,
  EntrySelection,
  SelectionRequest,
} from '../../entries/content/content.ts'
import type { Database, Recipient, Statement } from '../../foundation/database/database.ts'
import type { ErrorDetail, Principal } from '../../foundation/http/http.ts'
import type { Aggregates, DistinctField, DistinctResult, DistinctValue } from './aggregate.ts'
import {
  type DistinctQuery,
  ownDistinctParameters,
  parseDistinctQuery,
  resolveDistinctQuery,
} from './distinct-query.ts'
import { type CountedValue, distinctStatement, limitSlot, offsetSlot, valueIn } from './distinct-statement.ts'

interface DistinctDeps {
  readonly auth: Auth
  readonly database: Database
  readonly contentQueries: ContentQueries
  readonly reads: Pick<ContentReads, 'populateInto'>
}

/** There are few different statements, as for lists; the limit protects against hostile callers. */
const maxKeptStatements = 500

type DistinctStatement = Statement<CountedValue & Record<string, unknown>>

/** Computes the distinct values of fields; see `Aggregates`. */
export function createDistinct(deps: DistinctDeps): Pick<Aggregates, 'distinct' | 'distinctValues'> {
  const { auth, database, contentQueries } = deps
  const statements = new LRUCache<string, DistinctStatement>(upTo(maxKeptStatements))

  function statementOf(field: EntryField, { order, fields }: DistinctQuery, selection: EntrySelection) {
    // The selection's key already identifies nested fields. Their names may contain arbitrary JSON keys, which need no
    // separate statements.
    const inside = fields.filter(({ place }) => place === 'inside').indexOf(field)
    const name = inside < 0 ? field.name : `inside ${inside}`
    const statementKey = [name, order.by, order.direction, selection.key].join(' ')
    const kept = statements.get(statementKey)
    if (kept !== undefined) return kept
    const made = distinctStatement(database, { field, order }, selection.sql())
    statements.set(statementKey, made)
    return made
  }

  /** Sequential, so that a request uses no more connections than others. */
  async function valuesOf(
    query: DistinctQuery,
    selectionFor: SelectionFor,
    recipient: Recipient | undefined,
  ) {
    const { limit, offset, fields } = query
    const budget = contentQueries.answerBudget()
    const found: [string, DistinctField][] = []
    for (const field of fields) {
      const selection = selectionFor(field)
      const read = await selection.readValues?.(recipient)
      const values = { ...selection.values, ...read, [limitSlot]: limit + 1, [offsetSlot]: offset }
      const rows = await database.all(statementOf(field, query, selection), values, recipient)
      const shown = rows.slice(0, limit).map((row) => ({ value: valueIn(row), count: row.count }))
      budget.takeBytes(lengthOf(shown), { parameter: 'field', path: field.name })
      found.push([field.name, { values: shown, hasMore: rows.length > limit }])
    }
    return Object.fromEntries(found)
  }

  /** What is needed to parse a query for a type, given the permissions of the caller. */
  function parsingOf(type: string, principal: Principal) {
    if (!auth.mayContent(principal, type, 'read')) auth.refuse(principal)
    const problems: ErrorDetail[] = []
    return { type, contentQueries, limits: contentQueries.pageLimits(type), problems }
  }

  return {
    async distinct(type, rawQuery, principal, recipient) {
      const parsing = parsingOf(type, principal)
      const query = parseDistinctQuery(rawQuery, parsing)
      const { fields, lookedInto } = query
      const ownParameters = ownDistinctParameters
      const asked = { type, rawQuery, principal, recipient, ownParameters, fields, lookedInto }
      const request: DistinctRoute = { ...asked, problems: parsing.problems, populates: true }
      const selectionFor = selections(query, request, contentQueries)
      const populate = createPopulate(query, request, deps.reads)
      return populate(await valuesOf(query, selectionFor, recipient))
    },
    async distinctValues(type, request, principal, recipient) {
      const parsing = parsingOf(type, principal)
      const query = resolveDistinctQuery(request, parsing)
      const { fields, lookedInto } = query
      const rawQuery = request.selection
      const asked = { type, rawQuery, principal, recipient, ownParameters: [], fields, lookedInto }
      const selectionFor = selections(query, { ...asked, problems: parsing.problems }, contentQueries)
      return valuesOf(query, selectionFor, recipient)
    },
  }
}

/** The total length of texts, since only these may be long. */
function lengthOf(values: readonly DistinctValue[]): number {
  return values.reduce((sum, { value }) => sum + (typeof value === 'string' ? value.length : 0), 0)
}

type SelectionFor = (field: EntryField) => EntrySelection

/** The selection of entries in which the values of each field are counted. @throws AppError 400, 401, 403 */
function selections(
  { fields, ownFilters }: DistinctQuery,
  request: SelectionRequest,
  contentQueries: ContentQueries,
): SelectionFor {
  const whole = contentQueries.select(request)
  const byField = new Map(
    fields.map(({ name, path }) => [
      name,
      ownFilters ? whole : contentQueries.select({ ...request, withoutFilterOn: path }),
    ]),
  )
  const budget = contentQueries.answerBudget()
  for (const { weight } of [...byField.values(), ...fields]) budget.takeWeight(weight)
  return ({ name }) => byField.get(name) ?? whole
}

/** A request of the route, with its query string. */
type DistinctRoute = SelectionRequest & { readonly rawQuery: string }

/** Adds related entries to ids, as populating a read of entries would. */
function createPopulate(
  { populated }: DistinctQuery,
  { type, rawQuery, principal, recipient }: DistinctRoute,
  reads: DistinctDeps['reads'],
): (result: DistinctResult) => Promise<DistinctResult> {
  if (populated.length === 0) return async (result) => result
  const expand = reads.populateInto(type, readParametersOf(rawQuery), principal, recipient)
  return async (result) => {
    const holders = populated.flatMap((name) => {
      const values = (result[name]?.values ?? []).filter(({ value }) => value !== null)
      return values.map((counted) => ({ name, counted, holder: { id: 0, [name]: counted.value } as Entry }))
    })
    await expand(...holders.map(({ holder }) => holder))
    const entries = new Map<DistinctValue, unknown>(
      holders.map(({ name, counted, holder }) => [counted, holder[name] ?? null]),
    )
    const shown = Object.entries(result).map(([name, { values, hasMore }]): [string, DistinctField] => [
      name,
      { values: values.map((each) => withEntry(each, entries)), hasMore },
    ])
    return Object.fromEntries(shown)
  }
}

function withEntry(counted: DistinctValue, entries: ReadonlyMap<DistinctValue, unknown>): DistinctValue {
  return entries.has(counted) ? { ...counted, entry: entries.get(counted) as Entry | null } : counted
}

const selecting: ReadonlySet<string> = new Set([
  ...ownDistinctParameters,
  ...['filters', 'published', 'search', 'searchFields', 'typos', 'deleted'],
])

/**
 * Removes the parameters that select and order values. The rest of a valid query are parameters for populating, such as
 * `populate` and `locale`.
 */
function readParametersOf(rawQuery: string): string {
  const nameOf = (pair: string) => decodeURIComponent(pair.split('=')[0] ?? '').split('[')[0] ?? ''
  return rawQuery
    .split('&')
    .filter((pair) => !selecting.has(nameOf(pair)))
    .join('&')
}
