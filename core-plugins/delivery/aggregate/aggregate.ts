import { type ServiceToken, service } from '../../../kernel/index.ts'
import type { Entry, EntryQuery } from '../../entries/content/content.ts'
import type { Recipient } from '../../foundation/database/database.ts'
import type { Principal } from '../../foundation/http/http.ts'

/** How the values of a group become one; `count` counts entries. */
export type AggregateFunction = 'count' | 'sum' | 'avg' | 'min' | 'max'

/**
 * A number if it is exact, otherwise its digits as a string; for `min` and `max` whatever the field holds;
 * null if there are no values.
 */
export type AggregateValue = number | string | boolean | null

/** The aggregate of entries with the same values in the group fields. */
export interface AggregateGroup {
  /** By the field names in `groupBy`. */
  readonly group: Readonly<Record<string, AggregateValue>>
  readonly value: AggregateValue
}

/** For all entries, or for each group: largest value first, at most 1,000. */
export type AggregateResult = { readonly value: AggregateValue } | readonly AggregateGroup[]

/** A value of a field, and how many entries have it. */
export interface DistinctValue {
  /** An id in relations and media; null: they have none, or none that the caller sees. */
  readonly value: AggregateValue
  readonly count: number
  /** What the id refers to, where it is populated; null if middleware keeps it. */
  readonly entry?: Entry | null
}

export interface DistinctField {
  readonly values: readonly DistinctValue[]
  readonly hasMore: boolean
}

/** By the names of the fields. */
export type DistinctResult = Readonly<Record<string, DistinctField>>

/** The values of some fields of the same entries; as the parameters of the route say it. */
export interface DistinctRequest {
  /** Their names, at most ten. */
  readonly fields: readonly string[]
  readonly sort?: string | undefined
  /** Of each field, from 0; default: as in lists. */
  readonly limit?: number | undefined
  readonly offset?: number | undefined
  readonly ownFilters?: boolean | undefined
  readonly selection: AggregateRequest['selection']
}

/** Several aggregates of the same entries. */
export interface AggregateRequest {
  /** Undefined `field`: a count of entries. */
  readonly measures: readonly { readonly function: AggregateFunction; readonly field?: string | undefined }[]
  readonly groupBy: readonly string[]
  readonly selection: Pick<EntryQuery, 'filters' | 'published' | 'search' | 'typos' | 'parameters'>
}

/** The values of one group, in the order of the measures; `group` is empty where nothing is grouped. */
export interface MeasuredGroup {
  readonly group: AggregateGroup['group']
  readonly values: readonly AggregateValue[]
}

/** Aggregates over the entries of a type, for callers who may read it. */
export interface Aggregates {
  /**
   * @param rawQuery as in `GET /content/<type>/aggregate`
   * @param recipient cancels the read when it is gone; the request, for example
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
   * @throws AppError as above; 400 also where the request weighs too much
   */
  distinct(
    type: string,
    rawQuery: string,
    principal: Principal,
    recipient?: Recipient,
  ): Promise<DistinctResult>
  /** The same for another caller than the route, with ids in place of entries. @throws AppError like `distinct` */
  distinctValues(
    type: string,
    request: DistinctRequest,
    principal: Principal,
    recipient?: Recipient,
  ): Promise<DistinctResult>
  /** Several aggregates with one statement; groups with the largest first value come first. @throws AppError like `aggregate` */
  measure(
    type: string,
    request: AggregateRequest,
    principal: Principal,
    recipient?: Recipient,
  ): Promise<readonly MeasuredGroup[]>
}

/** Counts, sums and groups entries as their reader sees them. */
export const aggregateService: ServiceToken<Aggregates> = service('aggregate')
