import type { KnownOnly } from './populate.ts'
import { populatePaths } from './populate-paths.ts'
import { type QueryValue, queryString } from './query-string.ts'
import type { FieldName } from './result.ts'
import type { TypeShape } from './shape.ts'

/** A page as the service tells of it. */
export interface Pagination {
  readonly limit: number
  readonly hasMore: boolean
  /** Of offset pages. */
  readonly offset?: number
  /** Of offset pages, unless `total: false` left it out. */
  readonly total?: number
  /** Of keyset pages; null at the end. */
  readonly nextCursor?: string | null
}

/** Part of a list. */
export interface Page<Entry> {
  readonly data: Entry[]
  readonly pagination: Pagination
}

/** Names of fields with values of their own, by which entries can be sorted and grouped. */
export type PlainName<Shape extends TypeShape> = Exclude<
  FieldName<Shape>,
  keyof Shape['references'] | keyof Shape['parts']
>

/** `title`, or `title:desc`. */
export type Sort<Shape extends TypeShape> = PlainName<Shape> | `${PlainName<Shape>}:${'asc' | 'desc'}`

/** How to read an entry. */
export interface ReadQuery<Shape extends TypeShape, Populated, Fields extends FieldName<Shape>> {
  /** Which relations and media to answer as objects, in place of their ids. */
  readonly populate?: Populated & KnownOnly<Populated, Shape>
  /** Which fields to answer; the id always comes along. */
  readonly fields?: readonly Fields[]
  /** Soft-deleted entries, for administrators. */
  readonly deleted?: boolean
  /** Of a type with `draftOverlay`, with the drafts beside entries in them; for those who may see drafts. */
  readonly draft?: boolean
  readonly locale?: string
  /** Lets the default locale stand in where there is no version in `locale`. */
  readonly fallback?: boolean
  /** Ends the request. */
  readonly signal?: AbortSignal
}

/** Which entries. */
export interface Selection<Shape extends TypeShape> {
  readonly filters?: Shape['filters']
  /** Words that must all occur. */
  readonly search?: string
  readonly searchFields?: readonly PlainName<Shape>[]
  /** True: published ones only; false: drafts only. */
  readonly published?: boolean
}

/** Which entries, in which order, how many, and how. */
export interface ListQuery<Shape extends TypeShape, Populated, Fields extends FieldName<Shape>>
  extends ReadQuery<Shape, Populated, Fields>,
    Selection<Shape> {
  readonly sort?: Sort<Shape> | readonly Sort<Shape>[]
  readonly limit?: number
  readonly offset?: number
  /** False leaves the count out, which costs time on large tables. */
  readonly total?: boolean
  /** A keyset page: empty for the first, then `pagination.nextCursor`. */
  readonly cursor?: string
}

/** Any of the queries above, as it stands in an address. */
export function addressQuery(query: Readonly<Record<string, unknown>>): string {
  const { populate, signal: _signal, ...rest } = query
  const paths = populatePaths(populate)
  return queryString({
    ...(mapLists(rest) as Record<string, QueryValue>),
    populate: paths.length === 0 ? undefined : paths.join(','),
  })
}

/** Lists of names are separated by commas; those in filters may hold commas of their own. */
function mapLists(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const entries = Object.entries(values)
  return Object.fromEntries(
    entries.map(([name, value]) => [name, Array.isArray(value) ? value.join(',') : value]),
  )
}
