import { LRUCache } from 'lru-cache'
import { upTo } from '../../../../kernel/index.ts'
import type { Auth } from '../../../accounts/auth/auth.ts'
import type { Recipient, Values } from '../../../foundation/database/database.ts'
import type { Principal } from '../../../foundation/http/http.ts'
import type { ContentType } from '../../../foundation/schemas/schemas.ts'
import type { ReadOperation } from '../content-target.ts'
import type { EntryParameters, EntrySearch, StandIns } from '../entry/entry-extensions.ts'
import type { EntryModel } from '../entry/entry-model.ts'
import type { EntryQuery, ShownOfEntries } from '../entry-query.ts'
import type { PageLimits } from '../page-limits.ts'
import {
  parseFindQuery,
  parseListQuery,
  parseManyQuery,
  parseSingleQuery,
  type ReadQuery,
  type ReadQueryOptions,
} from '../query/read-query.ts'
import { valuesReader } from '../query/restriction.ts'
import { assertAllowed, parseFor, visibilityKey, visibilityOf } from './caller.ts'
import {
  bindSlots,
  type CompiledRead,
  compileFind,
  compileList,
  compileSingle,
  limitSlot,
  offsetSlot,
} from './compiled-read.ts'
import { keep } from './keep.ts'
import type { ReadDeps } from './read-deps.ts'

/** A query, checked and bound; callers with the same visibility share its statements. */
export interface ReadPlan {
  readonly query: ReadQuery
  /** Fields that are read only for middleware. */
  readonly unasked: readonly string[]
  /** All values except those that change with each request. */
  readonly values: Values
  /** Reads the values that have to be looked up for each read and replace some of `values`; undefined if there are none. */
  readonly readValues: ((recipient: Recipient | undefined) => Promise<Values>) | undefined
  /** Statements by the caller's visibility. */
  readonly variants: Map<string, CompiledRead>
}

/** `single`: the id of a single type's entry. `many`: entries by their ids. */
export type PlannedRead = ReadOperation | 'single' | 'many'

/** The caller and the query. */
export interface Asked {
  readonly operation: Exclude<PlannedRead, 'many'>
  readonly model: EntryModel
  readonly query: string | EntryQuery
  readonly principal: Principal
}

/** A request for entries by their ids. */
export interface AskedMany {
  readonly model: EntryModel
  readonly shown: ShownOfEntries
  readonly principal: Principal
}

/** Frontends repeat the same queries, so a plan is reused many times. */
const maxKeptPlans = 2_000
/**
 * Query shapes come from the frontend's code, so there are few; the limit protects against hostile callers.
 */
const maxKeptReads = 1_000
const maxKeptQueryLength = 2_048

export interface PlanDeps extends ReadDeps {
  /** See `ReadQueryOptions`. */
  readonly maxWeight: () => number
  readonly auth: Auth
  readonly parametersOf: (model: EntryModel) => readonly EntryParameters[]
  readonly standInsOf: (model: EntryModel) => readonly StandIns[]
  readonly searchOf: (model: EntryModel) => EntrySearch | undefined
}

const parsers = { list: parseListQuery, find: parseFindQuery, single: parseSingleQuery }
const compilers = { list: compileList, many: compileList, find: compileFind, single: compileSingle }

/** Caches plans by the text or object of the query, and statements by shape and visibility. */
export class ReadPlans {
  readonly #deps: PlanDeps
  readonly #pageLimits: (type: ContentType) => PageLimits
  readonly #plans = new LRUCache<string, ReadPlan>(upTo(maxKeptPlans))
  /** Plans for query objects of other plugins, kept as long as the plugin keeps the object. */
  #plansOfObjects = new WeakMap<EntryQuery, Map<string, ReadPlan>>()
  readonly #reads = new LRUCache<string, CompiledRead>(upTo(maxKeptReads))
  /** By type, under the current settings; created with the type's first query. */
  readonly #options = new Map<ContentType, ReadQueryOptions>()

  /** @param pageLimits returns the limits of a type under the current settings */
  constructor(deps: PlanDeps, pageLimits: (type: ContentType) => PageLimits) {
    this.#deps = deps
    this.#pageLimits = pageLimits
  }

  /**
   * @throws AppError 400 with all problems of the query; 403 if they concern types that the caller may not
   * read
   */
  planOf(asked: Asked): ReadPlan {
    const { operation, model, query } = asked
    if (typeof query !== 'string') return this.#planOfObject(query, asked)
    const key = `${operation} ${model.type.name} ${query}`
    const kept = this.#plans.get(key)
    if (kept !== undefined) return kept
    const plan = this.#makePlan(asked)
    if (query.length <= maxKeptQueryLength) this.#plans.set(key, plan)
    return plan
  }

  /** The plan for a read by ids. @throws AppError like `planOf` */
  planOfMany({ model, shown, principal }: AskedMany): ReadPlan {
    const make = () => {
      const parse = () => parseManyQuery(shown, model, this.#optionsFor(model))
      return this.#planFor('many', parseFor(principal, this.#deps, parse))
    }
    const { fields, populate } = shown
    if (populate !== undefined) return this.#keptWith(shown, `many ${model.type.name}`, make)
    const key = `many ${model.type.name} ${fields?.join() ?? ''}`
    const kept = this.#plans.get(key)
    if (kept !== undefined) return kept
    const plan = make()
    this.#plans.set(key, plan)
    return plan
  }

  /**
   * The statements for a caller. @throws AppError 403 if the query asks for something the caller may not see
   */
  compiledFor(operation: PlannedRead, plan: ReadPlan, principal: Principal): CompiledRead {
    assertAllowed(plan.query, principal, this.#deps)
    const key = visibilityKey(principal, plan.query.touchedTypes, this.#deps.auth)
    const kept = plan.variants.get(key)
    if (kept !== undefined) return kept
    const compiled = this.#compile(operation, plan, principal, key)
    plan.variants.set(key, compiled)
    return compiled
  }

  /** Drops all plans, after a setting or the meaning of queries has changed. */
  clear(): void {
    this.#plans.clear()
    this.#reads.clear()
    this.#plansOfObjects = new WeakMap()
    this.#options.clear()
  }

  #planOfObject(query: EntryQuery, asked: Asked): ReadPlan {
    const { operation, model } = asked
    return this.#keptWith(query, `${operation} ${model.type.name}`, () => this.#makePlan(asked))
  }

  #keptWith(query: EntryQuery, key: string, make: () => ReadPlan): ReadPlan {
    const kept = this.#plansOfObjects.get(query) ?? new Map<string, ReadPlan>()
    this.#plansOfObjects.set(query, kept)
    return keep(kept, key, make)
  }

  #makePlan({ operation, model, query, principal }: Asked): ReadPlan {
    const parse = () => parsers[operation](query, model, this.#optionsFor(model))
    return this.#planFor(operation, parseFor(principal, this.#deps, parse))
  }

  #planFor(operation: PlannedRead, asked: ReadQuery): ReadPlan {
    const { database, readStages } = this.#deps
    const isStaged = readStages.has(asked.model.type)
    const query = isStaged ? { ...asked, fields: undefined } : asked
    // Without a total, one more row than the page shows whether there is a next page.
    const limit = query.cursor === undefined && query.withTotal ? query.limit : query.limit + 1
    const hasPage = operation === 'list' || operation === 'many'
    const page = hasPage ? { [limitSlot]: limit, [offsetSlot]: query.offset } : {}
    const values = { ...bindSlots(query.slots, database), ...page }
    return {
      query,
      unasked: isStaged ? unaskedNames(asked) : [],
      values,
      readValues: valuesReader(query.restrictions, database.dialect),
      variants: new Map(),
    }
  }

  #compile(operation: PlannedRead, plan: ReadPlan, principal: Principal, key: string): CompiledRead {
    const { query } = plan
    const shape = `${operation} ${query.model.type.name} ${key} ${query.shape}`
    const kept = this.#reads.get(shape)
    if (kept !== undefined) return kept
    const visibility = visibilityOf(principal, query.touchedTypes, this.#deps.auth)
    const compiled = compilers[operation](query, visibility, this.#deps)
    this.#reads.set(shape, compiled)
    return compiled
  }

  #optionsFor({ type }: EntryModel): ReadQueryOptions {
    return keep(this.#options, type, () => ({ ...this.#deps, ...this.#pageLimits(type) }))
  }
}

function unaskedNames({ model, fields, populate }: ReadQuery): string[] {
  if (fields === undefined) return []
  const asked = new Set([...fields, ...[...populate.values()].map(({ field }) => field)])
  return [...model.shownNames].filter((name) => !asked.has(name))
}
