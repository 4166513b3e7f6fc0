import { type ServiceToken, service } from '../../kernel/index.ts'
import type { Recipient } from '../database/database.ts'
import type { Principal } from '../http/http.ts'

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
}

export const aggregateService: ServiceToken<Aggregates> = service('aggregate')
