import type { Awaitable } from '../../../../kernel/index.ts'
import type { Transaction } from '../../../foundation/database/database.ts'
import type { Principal } from '../../../foundation/http/http.ts'
import type { AnswerBudget } from '../answer-budget.ts'
import type { Entry, EntryPage, FoundEntry } from '../entry/entry.ts'
import type { EntryQuery } from '../entry-query.ts'

/** The transaction of the write, and its time (ISO 8601). */
export interface SystemWrite {
  readonly tx: Transaction
  readonly now: string
}

/**
 * Entries of a system type, without middleware, events or permissions, for which the plugin that declares the type is
 * responsible.
 */
export interface SystemEntries {
  list(query: string | EntryQuery, principal: Principal): Awaitable<EntryPage>
  find(id: number, rawQuery: string, principal: Principal): Awaitable<FoundEntry | undefined>
  /** The existing entries among the ids, in any order; accepts as many ids as a filter does. */
  findMany(
    ids: readonly number[],
    request: {
      readonly principal: Principal
      readonly fields?: readonly string[] | undefined
      readonly budget?: AnswerBudget
    },
  ): Promise<readonly Entry[]>
  /** Locks the entry until the end of the transaction. @throws AppError 404, 412 */
  open(
    id: number,
    options: { readonly tx: Transaction; readonly ifMatch?: string | undefined },
  ): Promise<Entry>
  /** Locks the existing entries among the ids, in order of their ids. */
  openMany(ids: readonly number[], tx: Transaction): Promise<Entry[]>
  /**
   * Stores values by field, unchecked; attributes left out get their defaults. The entry gets a new UUID unless one is given.
   * @throws AppError 409
   */
  insert(
    values: Readonly<Record<string, unknown>>,
    write: SystemWrite & { readonly uuid?: string | undefined },
  ): Promise<Entry>
  /** Changes fields, unchecked, and the version. @throws AppError 409 */
  update(before: Entry, values: Readonly<Record<string, unknown>>, write: SystemWrite): Promise<Entry>
  /**
   * Checks a payload for a new entry or a change; returns values for `insert` or `update`. @throws AppError
   * 400
   */
  check(
    payload: unknown,
    write: SystemWrite & { readonly before?: Entry; readonly principal: Principal },
  ): Promise<Record<string, unknown>>
  /** @throws AppError 409 if a relation of another entry forbids the deletion */
  remove(entry: Entry, tx: Transaction): Promise<void>
}
