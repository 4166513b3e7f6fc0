import type { Row, Statement, Values } from '../../database/database.ts'
import type { Pagination, Principal } from '../../http/http.ts'
import type { Entry, EntryPage, FoundEntry } from '../content.ts'
import type { EntryModel } from '../entry-model.ts'
import { cursorAfter } from '../query/cursor.ts'
import type { ReadQuery } from '../query/read-query.ts'
import { nowSlot } from '../query/visibility.ts'
import { versionOf } from '../version.ts'
import { type CompiledRead, compileSingleId, idSlot, isCounted, type ReadScope } from './compiled-read.ts'
import { entryFromRow } from './entry-select.ts'
import type { ReadPlan, ReadPlans } from './read-plans.ts'

/** Reads entries for a caller; no middleware, no permission for the type itself. */
export interface Reader {
  list(model: EntryModel, rawQuery: string, principal: Principal): Promise<EntryPage>
  find(model: EntryModel, id: number, rawQuery: string, principal: Principal): Promise<FoundEntry | undefined>
  /** The id of a single type's entry. */
  singleId(model: EntryModel): Promise<number | undefined>
}

export function createReader(scope: ReadScope, plans: ReadPlans): Reader {
  const { database } = scope

  /** Drafts are hidden by the moment of the request. */
  function valuesOf(plan: ReadPlan, now: string, id?: number): Values {
    const bound = database.dialect.bind(now, 'datetime')
    return id === undefined
      ? { ...plan.values, [nowSlot]: bound }
      : { ...plan.values, [nowSlot]: bound, [idSlot]: id }
  }

  /** What the rows alone do not tell. */
  async function complete(read: CompiledRead, entries: readonly Entry[], now: string, values: Values) {
    if (read.pruner !== undefined) await read.pruner.prune(entries, now, database)
    if (read.populator !== undefined) await read.populator.populate(entries, database, values)
    if (read.hiddenNames.length > 0) hideFields(entries, read.hiddenNames)
  }

  async function list(model: EntryModel, rawQuery: string, principal: Principal): Promise<EntryPage> {
    const plan = plans.planOf('list', model, rawQuery)
    const read = plans.compiledFor('list', plan, principal)
    const now = new Date().toISOString()
    const values = valuesOf(plan, now)
    // Both at once: where the database is not in this process, that is one round trip.
    const [rows, counted] = await Promise.all([
      database.all(read.rows, values),
      read.total === undefined ? undefined : database.get(read.total, values),
    ])
    const page = pageOf(plan.query, rows, read, counted?.total)
    await complete(read, page.entries, now, values)
    return page
  }

  async function find(model: EntryModel, id: number, rawQuery: string, principal: Principal) {
    const plan = plans.planOf('find', model, rawQuery)
    const read = plans.compiledFor('find', plan, principal)
    const now = new Date().toISOString()
    const values = valuesOf(plan, now, id)
    const row = await database.get(read.rows, values)
    if (row === undefined) return undefined
    const entry = entryFromRow(row, read.linkNames)
    const version = versionOf(entry)
    await complete(read, [entry], now, values)
    return { entry, version }
  }

  const singles = new Map<EntryModel, Statement<{ id: number }>>()

  async function singleId(model: EntryModel): Promise<number | undefined> {
    const statement = singles.get(model) ?? compileSingleId(model, scope)
    singles.set(model, statement)
    return (await database.get(statement))?.id
  }

  return { list, find, singleId }
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
