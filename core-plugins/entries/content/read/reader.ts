import { type Awaitable, andThen } from '../../../../kernel/index.ts'
import type { Recipient, Row, Values } from '../../../foundation/database/database.ts'
import type { Pagination, Principal } from '../../../foundation/http/http.ts'
import { type AnswerBudget, type AnswerPlace, jsonBytes } from '../answer-budget.ts'
import type { ReadOperation } from '../content-target.ts'
import type { Entry, EntryPage, FoundEntry } from '../entry/entry.ts'
import type { EntryModel } from '../entry/entry-model.ts'
import { versionOf } from '../entry/version.ts'
import type { EntryQuery, ShownOfEntries } from '../entry-query.ts'
import { cursorAfter } from '../query/cursor.ts'
import { idsSlot, type ReadQuery } from '../query/read-query.ts'
import { nowSlot } from '../query/visibility.ts'
import { type ReadGate, throughGate } from '../read-gate.ts'
import { observerOf } from '../read-observer.ts'
import { createClock, type Moment } from './clock.ts'
import { type CompiledRead, idSlot, isCounted, limitSlot } from './compiled-read.ts'
import { observeFind, observeList, observeMany, observeShown } from './observe-reads.ts'
import type { ReadPlan, ReadPlans } from './read-plans.ts'
import type { SingleDeps, SingleIds } from './single-ids.ts'

export interface ReaderDeps extends SingleDeps {
  readonly plans: ReadPlans
  readonly singles: SingleIds
  /** May be called only after all plugins have contributed. */
  readonly readGate: () => ReadGate | undefined
}

/** Who requests entries, and with which query. */
export interface Asked {
  readonly query: string | EntryQuery
  readonly principal: Principal
  /** How much is left of the limits of the answer. */
  readonly budget: AnswerBudget
  readonly recipient: Recipient | undefined
}

export interface AskedRead {
  readonly model: EntryModel
  readonly operation: ReadOperation
  readonly asked: Asked
}

export type AskedEntries = Omit<Asked, 'query'> & { readonly shown: ShownOfEntries }

/** One running read. */
interface Run {
  readonly asked: Omit<Asked, 'query'>
  readonly read: CompiledRead
  readonly now: string
  readonly values: Values
  /** The part of the query that determines how much is read. */
  readonly place: AnswerPlace
}

const wholePage: AnswerPlace = { parameter: 'limit' }
const oneEntry: AnswerPlace = { parameter: 'fields' }

/**
 * Reads entries for a caller; no middleware, no check of permission for the type itself. @throws AppError
 * 400, 403
 */
export class Reader {
  readonly #deps: ReaderDeps
  readonly #moment: () => Moment
  readonly #gate: () => ReadGate | undefined

  constructor(deps: ReaderDeps) {
    this.#deps = deps
    this.#moment = createClock(deps.database.dialect)
    this.#gate = once(deps.readGate)
  }

  list(model: EntryModel, asked: Asked): Awaitable<EntryPage> {
    const { plans } = this.#deps
    const plan = plans.planOf({ operation: 'list', model, ...asked })
    asked.budget.takeWeight(plan.query.weight)
    const read = plans.compiledFor('list', plan, asked.principal)
    const gate = this.#gate()
    if (gate === undefined) return this.#list(plan, read, asked)
    return throughGate(gate, { shape: read.shape, principal: asked.principal }, () =>
      this.#list(plan, read, asked),
    )
  }

  #list(plan: ReadPlan, read: CompiledRead, asked: Asked): Awaitable<EntryPage> {
    const moment = this.#moment()
    const values = valuesOf(plan, moment)
    observeList(plan, read, asked.recipient)
    const run: Run = { asked, read, now: moment.now, values, place: wholePage }
    if (plan.readValues === undefined) return this.#page(plan, run)
    return plan
      .readValues(asked.recipient)
      .then((found) => this.#page(plan, { ...run, values: { ...values, ...found } }))
  }

  #page(plan: ReadPlan, run: Run): Awaitable<EntryPage> {
    const { database } = this.#deps
    const { asked, read } = run
    const found = database.all(read.rows, run.values, asked.recipient)
    const rows = andThen(found, (found) => this.#fillPage(run, found))
    if (read.shape.isCostly || database.dialect.isInProcess) {
      return andThen(rows, (found) =>
        andThen(this.#totalOf(found, plan, run), (total) => this.#finishPage(plan, run, found, total)),
      )
    }
    return this.#countBeside(plan, run, rows)
  }

  find(model: EntryModel, id: number, asked: Asked): Awaitable<FoundEntry | undefined> {
    const { plans } = this.#deps
    const plan = plans.planOf({ operation: 'find', model, ...asked })
    asked.budget.takeWeight(plan.query.weight)
    const read = plans.compiledFor('find', plan, asked.principal)
    const gate = this.#gate()
    if (gate === undefined) return this.#find(id, plan, read, asked)
    return throughGate(gate, { shape: read.shape, principal: asked.principal }, () =>
      this.#find(id, plan, read, asked),
    )
  }

  #find(id: number, plan: ReadPlan, read: CompiledRead, asked: Asked): Awaitable<FoundEntry | undefined> {
    const { database } = this.#deps
    const moment = this.#moment()
    const { now } = moment
    const values = { ...plan.values, [nowSlot]: moment.bound, [idSlot]: id }
    return andThen(database.get(read.rows, values, asked.recipient), (row) => {
      const entry = row && read.toEntry(row)
      observeFind(plan.query.model, read, entry?.id ?? id, asked.recipient)
      if (entry === undefined) return undefined
      return andThen(this.#overlay(read, [entry], now), () => {
        const version = versionOf(entry)
        const run = { asked, read, now, values, place: oneEntry }
        return andThen(this.#complete([entry], run), () => ({ entry, version }))
      })
    })
  }

  /** Accepts as many ids as a filter does, in any order. One query for all ids. */
  async findMany(model: EntryModel, ids: readonly number[], asked: AskedEntries): Promise<Entry[]> {
    const { database, plans } = this.#deps
    const plan = plans.planOfMany({ model, shown: asked.shown, principal: asked.principal })
    asked.budget.takeWeight(plan.query.weight)
    const read = plans.compiledFor('many', plan, asked.principal)
    const moment = this.#moment()
    const named = { [idsSlot]: database.dialect.list(ids, 'id'), [limitSlot]: ids.length }
    const values = { ...valuesOf(plan, moment), ...named }
    const entries = (await database.all(read.rows, values, asked.recipient)).map(read.toEntry)
    observeMany(read, plan.query, { ids, fields: asked.shown.fields }, asked.recipient)
    await this.#complete(entries, { asked, read, now: moment.now, values, place: wholePage })
    return entries
  }

  /** Names of the fields that a read returns only for middleware. */
  unasked({ model, operation, asked }: AskedRead): readonly string[] {
    return this.#deps.plans.planOf({ operation, model, ...asked }).unasked
  }

  /** See `ContentReads`. */
  populateInto(model: EntryModel, asked: Asked): (...entries: Entry[]) => Promise<void> {
    const { database, plans } = this.#deps
    const plan = plans.planOf({ operation: 'find', model, ...asked })
    const { populator } = plans.compiledFor('find', plan, asked.principal)
    return async (...entries) => {
      const moment = this.#moment()
      const reading = { queries: database, values: valuesOf(plan, moment), now: moment.now, ...asked }
      await populator?.populate(entries, reading)
    }
  }

  /** The id of a single type's entry; even if the entry is hidden from the caller, provided that the type can have no other. */
  singleId(
    model: EntryModel,
    { query, principal, recipient }: Pick<Asked, 'query' | 'principal' | 'recipient'>,
  ): Awaitable<number | undefined> {
    const { database, plans, parametersOf, singles } = this.#deps
    observerOf(recipient)?.dependsOn(model.type.name)
    if (parametersOf(model).length === 0) return singles.first(model, database)
    const plan = plans.planOf({ operation: 'single', model, query, principal })
    const { rows } = plans.compiledFor('single', plan, principal)
    const values = valuesOf(plan, this.#moment())
    return andThen(database.get(rows, values), (row) => row?.id as number | undefined)
  }

  #fillPage({ read, values, asked }: Run, found: Row[]): Awaitable<Row[]> {
    const missing = Number(values[limitSlot]) - found.length
    if (read.rest === undefined || missing <= 0) return found
    const rest = this.#deps.database.all(read.rest, { ...values, [limitSlot]: missing }, asked.recipient)
    return andThen(rest, (more) => [...found, ...more])
  }

  /** Sends both queries at once: with a database outside this process, that saves a round trip. */
  #countBeside(plan: ReadPlan, run: Run, rows: Awaitable<Row[]>): Awaitable<EntryPage> {
    const { read, values, asked } = run
    const finish = (found: Row[], total: number | undefined) => this.#finishPage(plan, run, found, total)
    if (read.total === undefined) return andThen(rows, (found) => finish(found, undefined))
    const counted = this.#deps.database.get(read.total, values, asked.recipient)
    return Promise.all([rows, counted]).then(([found, count]) => finish(found, count?.total))
  }

  /** Counts only if the rows do not reveal the total, because counting may be costly. */
  #totalOf(
    found: readonly Row[],
    { query }: ReadPlan,
    { read, values, asked }: Run,
  ): Awaitable<number | undefined> {
    const known = totalShownBy(found, query)
    if (read.total === undefined || known !== undefined) return known
    const counted = this.#deps.database.get(read.total, values, asked.recipient)
    return andThen(counted, (count) => count?.total)
  }

  #finishPage({ query }: ReadPlan, run: Run, found: Row[], total: number | undefined): Awaitable<EntryPage> {
    const page = pageOf(query, found, run.read, total)
    observeShown(query, page.entries, run.asked.recipient)
    return andThen(this.#overlay(run.read, page.entries, run.now), () =>
      andThen(this.#complete(page.entries, run), () => page),
    )
  }

  #overlay(read: CompiledRead, entries: readonly Entry[], now: string): Awaitable<void> {
    return read.drafts?.overlay(entries, now, this.#deps.database)
  }

  /** Adds what the rows alone do not contain. */
  #complete(entries: readonly Entry[], run: Run): Awaitable<void> {
    const { read, asked, place } = run
    countEntries(entries, asked.budget, place)
    if (read.pruner === undefined && read.populator === undefined && read.meta === undefined) {
      return hideFields(entries, read.hiddenNames)
    }
    return this.#completeLater(entries, run)
  }

  async #completeLater(entries: readonly Entry[], { read, now, values, asked, place }: Run): Promise<void> {
    const { database } = this.#deps
    await read.pruner?.prune(entries, { now, queries: database, recipient: asked.recipient })
    await read.populator?.populate(entries, { queries: database, values, now, ...asked })
    await read.meta?.read(entries, database, asked, place)
    hideFields(entries, read.hiddenNames)
  }
}

/** Whether an entry counts as published depends on the time of the request. */
function valuesOf(plan: ReadPlan, { bound }: Moment): Values {
  return { ...plan.values, [nowSlot]: bound }
}

/** The total if the page ends with the last entry, so that no count is needed. */
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

function once<T>(find: () => T): () => T {
  let found: { readonly value: T } | undefined
  return () => {
    found ??= { value: find() }
    return found.value
  }
}
