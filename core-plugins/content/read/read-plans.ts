import { LRUCache } from 'lru-cache'
import type { Auth } from '../../auth/auth.ts'
import type { Values } from '../../database/database.ts'
import type { Principal } from '../../http/http.ts'
import type { EntryParameters, EntryQuery, EntrySearch, ReadOperation } from '../content.ts'
import type { EntryModel } from '../entry-model.ts'
import {
  parseFindQuery,
  parseListQuery,
  parseSingleQuery,
  type ReadQuery,
  type ReadQueryOptions,
} from '../query/read-query.ts'
import { parseFor, refuseForbidden, visibilityKey, visibilityOf } from './caller.ts'
import {
  bindSlots,
  type CompiledRead,
  compileFind,
  compileList,
  compileSingle,
  limitSlot,
  offsetSlot,
  type ReadScope,
} from './compiled-read.ts'

/** A query, checked and bound; callers who may see the same share its statements. */
export interface ReadPlan {
  readonly query: ReadQuery
  /** Fields that are read for middleware only. */
  readonly unasked: readonly string[]
  /** All values but those that change with each request. */
  readonly values: Values
  /** Statements by what the caller may see. */
  readonly variants: Map<string, CompiledRead>
}

/** `single`: which entry of a single type is meant. */
export type PlannedRead = ReadOperation | 'single'

/** Who asks what. */
export interface Asked {
  readonly operation: PlannedRead
  readonly model: EntryModel
  readonly query: string | EntryQuery
  readonly principal: Principal
}

export interface ReadPlans {
  /** @throws AppError 400 with all problems of the query; 403 where they are about types that the caller may not read */
  planOf(asked: Asked): ReadPlan
  /** The statements for a caller. @throws AppError 403 where the query asks for what the caller may not see */
  compiledFor(operation: PlannedRead, plan: ReadPlan, principal: Principal): CompiledRead
  /** Works everything out anew, after what queries mean has changed. */
  clear(): void
}

/** A frontend sends the same queries over and over: what was worked out for one is kept for the next. */
const maxKeptPlans = 2_000
/** Query shapes come from the frontend's code, so there are few; the bound is for hostile callers. */
const maxKeptReads = 1_000
const maxKeptQueryLength = 2_048

export interface PlanScope extends ReadScope {
  /** See `ReadQueryOptions`. */
  readonly maxWeight: () => number
  readonly auth: Auth
  readonly parametersOf: (model: EntryModel) => readonly EntryParameters[]
  readonly searchOf: (model: EntryModel) => EntrySearch | undefined
}

const parsers = { list: parseListQuery, find: parseFindQuery, single: parseSingleQuery }
const compilers = { list: compileList, find: compileFind, single: compileSingle }

export function createReadPlans(
  scope: PlanScope,
  pageLimits: () => { readonly defaultLimit: number; readonly maxLimit: number },
): ReadPlans {
  const plans = new LRUCache<string, ReadPlan>({ max: maxKeptPlans })
  /** Of queries that other plugins make; they last as long as those keep them. */
  let plansOfObjects = new WeakMap<EntryQuery, Map<string, ReadPlan>>()
  const reads = new LRUCache<string, CompiledRead>({ max: maxKeptReads })

  function makePlan({ operation, model, query: source, principal }: Asked): ReadPlan {
    const options: ReadQueryOptions = { ...scope, ...pageLimits() }
    const asked = parseFor(principal, scope, () => parsers[operation](source, model, options))
    const isStaged = scope.readStages.has(model.type)
    const query = isStaged ? { ...asked, fields: undefined } : asked
    // One more than the page tells whether there is a next one, where no total does.
    const limit = query.cursor === undefined && query.withTotal ? query.limit : query.limit + 1
    const page = operation === 'list' ? { [limitSlot]: limit, [offsetSlot]: query.offset } : {}
    const values = { ...bindSlots(query.slots, scope.database), ...page }
    return { query, unasked: isStaged ? unaskedNames(asked) : [], values, variants: new Map() }
  }

  function compile(operation: PlannedRead, plan: ReadPlan, principal: Principal, key: string): CompiledRead {
    const { query } = plan
    const shape = `${operation} ${query.model.type.name} ${key} ${query.shape}`
    const kept = reads.get(shape)
    if (kept !== undefined) return kept
    const visibility = visibilityOf(principal, query.touchedTypes, scope.auth)
    const compiled = compilers[operation](query, visibility, scope)
    reads.set(shape, compiled)
    return compiled
  }

  function planOfObject(query: EntryQuery, asked: Asked): ReadPlan {
    const { operation, model } = asked
    const kept = plansOfObjects.get(query) ?? new Map<string, ReadPlan>()
    plansOfObjects.set(query, kept)
    const key = `${operation} ${model.type.name}`
    const plan = kept.get(key) ?? makePlan(asked)
    kept.set(key, plan)
    return plan
  }

  return {
    planOf(asked) {
      const { operation, model, query } = asked
      if (typeof query !== 'string') return planOfObject(query, asked)
      const key = `${operation} ${model.type.name} ${query}`
      const kept = plans.get(key)
      if (kept !== undefined) return kept
      const plan = makePlan(asked)
      if (query.length <= maxKeptQueryLength) plans.set(key, plan)
      return plan
    },
    compiledFor(operation, plan, principal) {
      refuseForbidden(plan.query, principal, scope)
      const key = visibilityKey(principal, plan.query.touchedTypes, scope.auth)
      const kept = plan.variants.get(key)
      if (kept !== undefined) return kept
      const compiled = compile(operation, plan, principal, key)
      plan.variants.set(key, compiled)
      return compiled
    },
    clear() {
      plans.clear()
      plansOfObjects = new WeakMap()
    },
  }
}

function unaskedNames({ model, fields, populate }: ReadQuery): string[] {
  if (fields === undefined) return []
  const asked = new Set([...fields, ...[...populate.values()].map(({ field }) => field)])
  return [...model.shownNames].filter((name) => !asked.has(name))
}
