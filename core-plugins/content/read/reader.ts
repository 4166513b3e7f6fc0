import type { Recipient, Row, Values } from '../../database/database.ts'
import type { Pagination, Principal } from '../../http/http.ts'
import { type AnswerBudget, type AnswerPlace, jsonBytes } from '../answer-budget.ts'
import { type Awaitable, andThen } from '../awaitable.ts'
import type { Entry, EntryPage, EntryQuery, FoundEntry, ReadOperation } from '../content.ts'
import type { EntryModel } from '../entry-model.ts'
import { cursorAfter } from '../query/cursor.ts'
import type { ReadQuery } from '../query/read-query.ts'
import { nowSlot } from '../query/visibility.ts'
import { versionOf } from '../version.ts'
import { type CompiledRead, idSlot, isCounted, limitSlot } from './compiled-read.ts'
import type { ReadPlan, ReadPlans } from './read-plans.ts'
import type { SingleIds, SingleScope } from './single-ids.ts'

export interface ReaderScope extends SingleScope {
  readonly singles: SingleIds
}

/** Who asks for entries, and how. */
export interface Asked {
  readonly query: string | EntryQuery
  readonly principal: Principal
  /** What is left for the answer. */
  readonly budget: AnswerBudget
  readonly recipient: Recipient | undefined
}

export interface AskedRead {
  readonly model: EntryModel
  readonly operation: ReadOperation
  readonly asked: Asked
}

export type AskedMany = Omit<Asked, 'query'> & { readonly fields: readonly string[] | undefined }

/** Reads entries for a caller; no middleware, no permission for the type itself. @throws AppError 400, 403 */
export interface Reader {
  list(model: EntryModel, asked: Asked): Awaitable<EntryPage>
  find(model: EntryModel, id: number, asked: Asked): Awaitable<FoundEntry | undefined>
  /** Names of the fields that a read has in its answer for middleware only. */
  unasked(read: AskedRead): readonly string[]
  /** See `Content`. */
  expander(model: EntryModel, asked: Asked): (entry: Entry) => Promise<void>
  /** At most as many as a filter takes, in any order; undefined `fields`: all. */
  findMany(model: EntryModel, ids: readonly number[], asked: AskedMany): Promise<Entry[]>
  /** The id of a single type's entry, be it hidden from the caller where the type can have no other one. */
  singleId(model: EntryModel, asked: Pick<Asked, 'query' | 'principal'>): Awaitable<number | undefined>
}

/** One read as it goes on. */
interface Run {
  readonly asked: Omit<Asked, 'query'>
  readonly read: CompiledRead
  readonly now: string
  readonly values: Values
  /** What of the query says how much is read. */
  readonly place: AnswerPlace
}

const wholePage: AnswerPlace = { parameter: 'limit' }
const oneEntry: AnswerPlace = { parameter: 'fields' }

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
  function complete(entries: readonly Entry[], run: Run): Awaitable<void> {
    const { read, asked, place } = run
    countEntries(entries, asked.budget, place)
    if (read.pruner === undefined && read.populator === undefined)
      return hideFields(entries, read.hiddenNames)
    return completeLater(entries, run)
  }

  async function completeLater(entries: readonly Entry[], { read, now, values, asked }: Run) {
    await read.pruner?.prune(entries, now, database)
    await read.populator?.populate(entries, { queries: database, values, now, ...asked })
    hideFields(entries, read.hiddenNames)
  }

  function fillPage({ read, values, asked }: Run, found: Row[]): Awaitable<Row[]> {
    const missing = Number(values[limitSlot]) - found.length
    if (read.rest === undefined || missing <= 0) return found
    const rest = database.all(read.rest, { ...values, [limitSlot]: missing }, asked.recipient)
    return andThen(rest, (more) => [...found, ...more])
  }

  function list(model: EntryModel, asked: Asked): Awaitable<EntryPage> {
    const plan = plans.planOf({ operation: 'list', model, ...asked })
    asked.budget.takeWeight(plan.query.weight)
    const read = plans.compiledFor('list', plan, asked.principal)
    const now = new Date().toISOString()
    const values = valuesOf(plan, now)
    const run: Run = { asked, read, now, values, place: wholePage }
    const finish = (found: Row[], total: number | undefined) => {
      const page = pageOf(plan.query, found, read, total)
      return andThen(overlay(read, page.entries, now), () => andThen(complete(page.entries, run), () => page))
    }
    const rows = andThen(database.all(read.rows, values, asked.recipient), (found) => fillPage(run, found))
    if (read.isCostly) {
      return andThen(rows, (found) => andThen(totalOf(found, plan, run), (total) => finish(found, total)))
    }
    const known = rows instanceof Promise ? undefined : totalShownBy(rows, plan.query)
    if (read.total === undefined || known !== undefined) return andThen(rows, (found) => finish(found, known))
    // Both at once: where the database is not in this process, that is one round trip.
    const counted = database.get(read.total, values, asked.recipient)
    if (!(rows instanceof Promise) && !(counted instanceof Promise)) return finish(rows, counted?.total)
    return Promise.all([rows, counted]).then(([found, count]) => finish(found, count?.total))
  }

  /** Asked only where the rows do not tell: what is costly is not done for nothing. */
  function totalOf(found: readonly Row[], { query }: ReadPlan, { read, values, asked }: Run) {
    const known = totalShownBy(found, query)
    if (read.total === undefined || known !== undefined) return known
    return andThen(database.get(read.total, values, asked.recipient), (counted) => counted?.total)
  }

  async function findMany(model: EntryModel, ids: readonly number[], asked: AskedMany) {
    // One query for all ids, whose only list they are.
    const query = `filters[id][$in]=0&total=false&fields=${asked.fields?.join(',') ?? ''}`
    const plan = plans.planOf({ operation: 'list', model, query, principal: asked.principal })
    const read = plans.compiledFor('list', plan, asked.principal)
    const now = new Date().toISOString()
    const [slot] = plan.query.slots.values
    const list = database.dialect.list(ids, 'id')
    const values = { ...valuesOf(plan, now), [slot?.name ?? '']: list, [limitSlot]: ids.length }
    const entries = (await database.all(read.rows, values)).map(read.toEntry)
    await complete(entries, { asked, read, now, values, place: wholePage })
    return entries
  }

  function find(model: EntryModel, id: number, asked: Asked) {
    const plan = plans.planOf({ operation: 'find', model, ...asked })
    asked.budget.takeWeight(plan.query.weight)
    const read = plans.compiledFor('find', plan, asked.principal)
    const now = new Date().toISOString()
    const values = valuesOf(plan, now, id)
    return andThen(database.get(read.rows, values), (row) => {
      if (row === undefined) return undefined
      const entry = read.toEntry(row)
      return andThen(overlay(read, [entry], now), () => {
        const version = versionOf(entry)
        const run = { asked, read, now, values, place: oneEntry }
        return andThen(complete([entry], run), () => ({ entry, version }))
      })
    })
  }

  function expander(model: EntryModel, asked: Asked) {
    const plan = plans.planOf({ operation: 'find', model, ...asked })
    const { populator } = plans.compiledFor('find', plan, asked.principal)
    return async (entry: Entry) => {
      const now = new Date().toISOString()
      await populator?.populate([entry], { queries: database, values: valuesOf(plan, now), now, ...asked })
    }
  }

  function singleId(model: EntryModel, { query, principal }: Pick<Asked, 'query' | 'principal'>) {
    if (scope.parametersOf(model).length === 0) return scope.singles.first(model, database)
    const plan = plans.planOf({ operation: 'single', model, query, principal })
    const { rows } = plans.compiledFor('single', plan, principal)
    const values = valuesOf(plan, new Date().toISOString())
    return andThen(database.get(rows, values), (row) => row?.id as number | undefined)
  }

  return {
    list,
    find,
    findMany,
    unasked: ({ model, operation, asked }) => plans.planOf({ operation, model, ...asked }).unasked,
    expander,
    singleId,
  }
}

/** How many entries there are in all, where a page ends with the last of them: nothing has to be counted then. */
function totalShownBy(rows: readonly Row[], query: ReadQuery): number | undefined {
  const { limit, offset } = query
  const isLastPage = rows.length < limit && (rows.length > 0 || offset === 0)
  return isLastPage && isCounted(query) ? offset + rows.length : undefined
}

function pageOf(query: ReadQuery, rows: Row[], read: CompiledRead, total: number | undefined): EntryPage {
  const { limit, offset } = query
  const shown = rows.length > limit ? rows.slice(0, limit) : rows
  const entries = shown.map(read.toEntry)
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

function countEntries(entries: readonly Entry[], budget: AnswerBudget, place: AnswerPlace): void {
  budget.takeEntries(entries.length, place)
  let bytes = 0
  for (const entry of entries) bytes += jsonBytes(entry)
  budget.takeBytes(bytes, place)
}
