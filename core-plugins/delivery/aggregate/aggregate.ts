import { type ServiceToken, service } from '../../../kernel/index.ts'
import type { Entry, EntryQuery } from '../../entries/content/content.ts'
import type { Recipient } from '../../foundation/database/database.ts'
import type { Principal } from '../../foundation/http/http.ts'

/** How to combine the values of a group; `count` counts entries. */
export type AggregateFunction = 'count' | 'sum' | 'avg' | 'min' | 'max'

/**
 * A number if it is exact, otherwise its digits as a string; for `min` and `max` a value of the field; null if there are no
 * values.
 */
export type AggregateValue = number | string | boolean | null

/** The aggregate of entries with the same values in the group fields. */
export interface AggregateGroup {
  /** By field name, as in `groupBy`. */
  readonly group: Readonly<Record<string, AggregateValue>>
  readonly value: AggregateValue
}

/** For all entries, or for each group: largest value first, at most 1,000. */
export type AggregateResult = { readonly value: AggregateValue } | readonly AggregateGroup[]

/** A value of a field, and how many entries have it. */
export interface DistinctValue {
  /** An id for relations and media; null for entries without a reference that the caller may see. */
  readonly value: AggregateValue
  readonly count: number
  /** The entry with that id, if it is populated; null if middleware hides it. */
  readonly entry?: Entry | null
}

export interface DistinctField {
  readonly values: readonly DistinctValue[]
  readonly hasMore: boolean
}

/** By field name. */
export type DistinctResult = Readonly<Record<string, DistinctField>>

/** Requests the values of some fields over the same entries, like the parameters of the route. */
export interface DistinctRequest {
  /** At most ten field names. */
  readonly fields: readonly string[]
  readonly sort?: string | undefined
  /** The number of values per field, from 0; by default as in lists. */
  readonly limit?: number | undefined
  readonly offset?: number | undefined
  readonly ownFilters?: boolean | undefined
  readonly selection: AggregateRequest['selection']
}

/** Requests several aggregates of the same entries. */
export interface AggregateRequest {
  /** Without `field`, a count of entries. */
  readonly measures: readonly { readonly function: AggregateFunction; readonly field?: string | undefined }[]
  readonly groupBy: readonly string[]
  readonly selection: Pick<EntryQuery, 'filters' | 'published' | 'search' | 'typos' | 'parameters'>
}

/** The values of one group, in the order of the measures; `group` is empty without grouping. */
export interface MeasuredGroup {
  readonly group: AggregateGroup['group']
  readonly values: readonly AggregateValue[]
}

/** Aggregates over the entries of a type, for callers who may read it. */
export interface Aggregates {
  /**
   * @param rawQuery as in `GET /content/<type>/aggregate`
   * @param recipient if it disconnects, the read is cancelled; for example the request
   * @throws AppError 400 with all problems of the query; 401 or 403 without permission to read the type; 404
   */
  aggregate(
    type: string,
    rawQuery: string,
    principal: Principal,
    recipient?: Recipient,
  ): Promise<AggregateResult>
  /**
   * The values of fields, each with the number of entries that have it.
   * @param rawQuery as in `GET /content/<type>/distinct`
   * @param recipient as above
   * @throws AppError as above; 400 also if the request is too expensive
   */
  distinct(
    type: string,
    rawQuery: string,
    principal: Principal,
    recipient?: Recipient,
  ): Promise<DistinctResult>
  /** Like `distinct`, for requests without a query string, with ids instead of entries. @throws AppError like `distinct` */
  distinctValues(
    type: string,
    request: DistinctRequest,
    principal: Principal,
    recipient?: Recipient,
  ): Promise<DistinctResult>
  /**
   * Computes several aggregates with one statement; the group with the largest first value comes first.
   * @throws AppError like `aggregate`
   */
  measure(
    type: string,
    request: AggregateRequest,
    principal: Principal,
    recipient?: Recipient,
  ): Promise<readonly MeasuredGroup[]>
}

/** Counts, sums and groups entries as the caller may see them. */
export const aggregateService: ServiceToken<Aggregates> = service('aggregate')
