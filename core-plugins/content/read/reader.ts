import type { Row, Values } from '../../database/database.ts'
import type { Pagination, Principal } from '../../http/http.ts'
import { type Awaitable, andThen } from '../awaitable.ts'
import type { Entry, EntryPage, EntryQuery, FoundEntry } from '../content.ts'
import type { EntryModel } from '../entry-model.ts'
import { cursorAfter } from '../query/cursor.ts'
import type { ReadQuery } from '../query/read-query.ts'
import { nowSlot } from '../query/visibility.ts'
import { versionOf } from '../version.ts'
import { type CompiledRead, idSlot, isCounted, limitSlot } from './compiled-read.ts'
import { entryFromRow } from './entry-select.ts'
import type { ReadPlan, ReadPlans } from './read-plans.ts'
import type { SingleIds, SingleScope } from './single-ids.ts'

export interface ReaderScope extends SingleScope {
  readonly singles: SingleIds
}

/** Reads entries for a caller; no middleware, no permission for the type itself. */
export interface Reader {
  list(model: EntryModel, query: string | EntryQuery, principal: Principal): Awaitable<EntryPage>
  find(
    model: EntryModel,
    id: number,
    query: string | EntryQuery,
    principal: Principal,
  ): Awaitable<FoundEntry | undefined>
  /** See `Content`. */
  expander(model: EntryModel, query: EntryQuery, principal: Principal): (entry: Entry) => Promise<void>
  /** At most as many as a filter takes, in any order. */
  findMany(model: EntryModel, ids: readonly number[], principal: Principal): Promise<Entry[]>
  /** The id of a single type's entry, be it hidden from the caller where the type can have no other one. */
  singleId(model: EntryModel, query: string | EntryQuery, principal: Principal): Awaitable<number | undefined>
}

export function createReader(scope: ReaderScope, plans: ReadPlans): Reader {
  const { database } = scope

  /** Drafts are hidden by the moment of the request. */
  function valuesOf(plan: ReadPlan, now: string, id?: number): Values {
    const bound = database.dialect.bind(now, 'datetime')
    return id === undefined
      ? { ...plan.values, [nowSlot]: bound }
      : { ...plan.values, [nowSlot]: bound, [idSlot]: id }
  }

  function overlay(read: CompiledRead, entries: readonly Entry[], now: string): Awaitable<void> {
    return read.drafts?.overlay(entries, now, database)
  }

  /** What the rows alone do not tell. */
  function complete(
    read: CompiledRead,
    entries: readonly Entry[],
    now: string,
    values: Values,
  ): Awaitable<void> {
    if (read.pruner === undefined && read.populator === undefined)
      return hideFields(entries, read.hiddenNames)
    return completeLater(read, entries, now, values)
  }

  async function completeLater(read: CompiledRead, entries: readonly Entry[], now: string, values: Values) {
    await read.pruner?.prune(entries, now, database)
    await read.populator?.populate(entries, { queries: database, values, now })
    hideFields(entries, read.hiddenNames)
  }

  function fillPage(read: CompiledRead, found: Row[], values: Values): Awaitable<Row[]> {
    const missing = Number(values[limitSlot]) - found.length
    if (read.rest === undefined || missing <= 0) return found
    return andThen(database.all(read.rest, { ...values, [limitSlot]: missing }), (rest) => [
      ...found,
      ...rest,
    ])
  }

  function list(model: EntryModel, query: string | EntryQuery, principal: Principal): Awaitable<EntryPage> {
    const plan = plans.planOf({ operation: 'list', model, query, principal })
    const read = plans.compiledFor('list', plan, principal)
    const now = new Date().toISOString()
    const values = valuesOf(plan, now)
    const finish = (found: Row[], counted: { readonly total: number } | undefined) => {
      const page = pageOf(plan.query, found, read, counted?.total)
      return andThen(overlay(read, page.entries, now), () =>
        andThen(complete(read, page.entries, now, values), () => page),
      )
    }
    // Both at once: where the database is not in this process, that is one round trip.
    const rows = andThen(database.all(read.rows, values), (found) => fillPage(read, found, values))
    const counted = read.total === undefined ? undefined : database.get(read.total, values)
    if (!(rows instanceof Promise) && !(counted instanceof Promise)) return finish(rows, counted)
    return Promise.all([rows, counted]).then(([found, total]) => finish(found, total))
  }

  async function findMany(model: EntryModel, ids: readonly number[], principal: Principal) {
    // One query for all ids, whose only list they are.
    const query = 'filters[id][$in]=0&total=false'
    const plan = plans.planOf({ operation: 'list', model, query, principal })
    const read = plans.compiledFor('list', plan, principal)
    const now = new Date().toISOString()
    const [slot] = plan.query.slots.values
    const list = database.dialect.list(ids, 'id')
    const values = { ...valuesOf(plan, now), [slot?.name ?? '']: list, [limitSlot]: ids.length }
    const entries = (await database.all(read.rows, values)).map((row) => entryFromRow(row, read.linkNames))
    await complete(read, entries, now, values)
    return entries
  }

  function find(model: EntryModel, id: number, query: string | EntryQuery, principal: Principal) {
    const plan = plans.planOf({ operation: 'find', model, query, principal })
    const read = plans.compiledFor('find', plan, principal)
    const now = new Date().toISOString()
    const values = valuesOf(plan, now, id)
    return andThen(database.get(read.rows, values), (row) => {
      if (row === undefined) return undefined
      const entry = entryFromRow(row, read.linkNames)
      return andThen(overlay(read, [entry], now), () => {
        const version = versionOf(entry)
        return andThen(complete(read, [entry], now, values), () => ({ entry, version }))
      })
    })
  }

  function expander(model: EntryModel, query: EntryQuery, principal: Principal) {
    const plan = plans.planOf({ operation: 'find', model, query, principal })
    const { populator } = plans.compiledFor('find', plan, principal)
    return async (entry: Entry) => {
      const now = new Date().toISOString()
      await populator?.populate([entry], { queries: database, values: valuesOf(plan, now), now })
    }
  }

  function singleId(model: EntryModel, query: string | EntryQuery, principal: Principal) {
    if (scope.parametersOf(model).length === 0) return scope.singles.first(model, database)
    const plan = plans.planOf({ operation: 'single', model, query, principal })
    const { rows } = plans.compiledFor('single', plan, principal)
    const values = valuesOf(plan, new Date().toISOString())
    return andThen(database.get(rows, values), (row) => row?.id as number | undefined)
  }

  return { list, find, findMany, expander, singleId }
}

function pageOf(query: ReadQuery, rows: Row[], read: CompiledRead, total: number | undefined): EntryPage {
  const { limit, offset } = query
  const shown = rows.length > limit ? rows.slice(0, limit) : rows
  const entries = shown.map((row) => entryFromRow(row, read.linkNames))
  const hasMore = total === undefined ? rows.length > limit : offset + entries.length < total
  return { entries, pagination: paginationOf(query, entries, hasMore, total) }
}

function paginationOf(
  query: ReadQuery,
  entries: readonly Entry[],
  hasMore: boolean,
  total: number | undefined,
): Pagination {
  const { limit, offset, sort } = query
  if (query.cursor !== undefined) {
    const last = entries.at(-1)
    return { limit, hasMore, nextCursor: hasMore && last !== undefined ? cursorAfter(last, sort) : null }
  }
  return isCounted(query) && total !== undefined
    ? { total, limit, offset, hasMore }
    : { limit, offset, hasMore }
}

function hideFields(entries: readonly Entry[], names: readonly string[]): void {
  for (const name of names) for (const entry of entries) delete entry[name]
}
