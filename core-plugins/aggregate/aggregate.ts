import { type ServiceToken, service } from '../../kernel/index.ts'
import type { Recipient } from '../database/database.ts'
import type { Principal } from '../http/http.ts'

export type AggregateFunction = 'count' | 'sum' | 'avg' | 'min' | 'max'

/** A number where that is exact, otherwise its digits; of `min` and `max` whatever the field holds; null over nothing. */
export type AggregateValue = number | string | boolean | null

/** What of the entries that have these values in common. */
export interface AggregateGroup {
  /** By the fields that `groupBy` names. */
  readonly group: Readonly<Record<string, AggregateValue>>
  readonly value: AggregateValue
}

/** Of all entries, or of each group: the largest value first, at most 1,000. */
export type AggregateResult = { readonly value: AggregateValue } | readonly AggregateGroup[]

/** Numbers over the entries of a type. Whether the caller may read the type is judged before. */
export interface Aggregates {
  /**
   * @param rawQuery as in `GET /content/<type>/aggregate`
   * @param recipient whose going ends the read, such as the request
   * @throws AppError 400 with all problems of the query, 403, 404
   */
  aggregate(
    type: string,
    rawQuery: string,
    principal: Principal,
    recipient?: Recipient,
  ): Promise<AggregateResult>
}

export const aggregateService: ServiceToken<Aggregates> = service('aggregate')
