import type { KnownOnly } from './populate.ts'
import { populateQuery } from './populate-query.ts'
import { type QueryValue, queryString } from './query-string.ts'
import type { FieldName } from './result.ts'
import type { TypeShape } from './shape.ts'
import type { PlainName, Sort } from './sort.ts'

/** The service's description of a page. */
export interface Pagination {
  readonly limit: number
  readonly hasMore: boolean
  /** For offset pages. */
  readonly offset?: number
  /** For offset pages, unless `total: false` omitted it. */
  readonly total?: number
  /** For keyset pages; null at the end. */
  readonly nextCursor?: string | null
}

/** Part of a list. */
export interface Page<Entry> {
  readonly data: Entry[]
  readonly pagination: Pagination
}

/** How to read an entry. */
export interface ReadQuery<Shape extends TypeShape, Populated, Fields extends FieldName<Shape>> {
  /** Which relations and media to return as objects instead of ids, and which of their fields. */
  readonly populate?: Populated & KnownOnly<Populated, Shape>
  /** Which fields to return; the id is always included. */
  readonly fields?: readonly Fields[]
  /** Soft-deleted entries, for administrators. */
  readonly deleted?: boolean
  /** For a type with `draftOverlay`: entries with their pending drafts applied; requires access to drafts. */
  readonly draft?: boolean
  /** Only entries in this locale; relations are populated in it, too. */
  readonly locale?: string
  /** Falls back to the default locale for entries without a version in `locale`. */
  readonly fallback?: boolean
  /** The `position` of a live change: the answer is not older than that, whatever caches there are. */
  readonly atLeast?: string
  /** Aborts the request. */
  readonly signal?: AbortSignal
}

/** Selects entries. */
export interface Selection<Shape extends TypeShape> {
  readonly filters?: Shape['filters']
  /** Words that must all occur. */
  readonly search?: string
  readonly searchFields?: readonly PlainName<Shape>[]
  /** True: `search` also finds words with typing errors; not with `searchFields`. */
  readonly typos?: boolean
  /** True: published ones only; false: drafts only. */
  readonly published?: boolean
}

/** Selects entries, their order and number, and how to read them. */
export interface ListQuery<Shape extends TypeShape, Populated, Fields extends FieldName<Shape>>
  extends ReadQuery<Shape, Populated, Fields>,
    Selection<Shape> {
  readonly sort?: Sort<Shape> | readonly Sort<Shape>[]
  readonly limit?: number
  readonly offset?: number
  /** False omits the count, which is slow on large tables. */
  readonly total?: boolean
  /** A keyset page: empty for the first, then `pagination.nextCursor`. */
  readonly cursor?: string
}

/** Any of the queries above, as encoded in an address. */
export function addressQuery(query: Readonly<Record<string, unknown>>): string {
  const { populate, signal: _signal, atLeast: _atLeast, ...rest } = query
  return queryString({
    ...(mapLists(rest) as Record<string, QueryValue>),
    populate: populateQuery(populate),
  })
}

/** Lists of names are joined by commas; values in filters may contain commas. */
function mapLists(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const entries = Object.entries(values)
  return Object.fromEntries(
    entries.map(([name, value]) => [name, Array.isArray(value) ? value.join(',') : value]),
  )
}
