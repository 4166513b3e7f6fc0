import { LRUCache } from 'lru-cache'
import type { Auth } from '../../auth/auth.ts'
import type { Values } from '../../database/database.ts'
import { AppError, type Principal } from '../../http/http.ts'
import type { ContentType } from '../../schemas/schemas.ts'
import type { ReadOperation } from '../content.ts'
import type { EntryModel } from '../entry-model.ts'
import { parseFindQuery, parseListQuery, type ReadQuery, type ReadQueryOptions } from '../query/read-query.ts'
import {
  bindSlots,
  type CompiledRead,
  compileFind,
  compileList,
  limitSlot,
  offsetSlot,
  type ReadScope,
  type ReadVisibility,
} from './compiled-read.ts'

/** A query string, checked and bound; callers who may see the same share its statements. */
export interface ReadPlan {
  readonly query: ReadQuery
  /** All values but those that change with each request. */
  readonly values: Values
  /** Statements by what the caller may see. */
  readonly variants: Map<string, CompiledRead>
}

export interface ReadPlans {
  /** @throws AppError 400 with all problems of the query */
  planOf(operation: ReadOperation, model: EntryModel, rawQuery: string): ReadPlan
  /** The statements for a caller. @throws AppError 403 where the query asks for what the caller may not see */
  compiledFor(operation: ReadOperation, plan: ReadPlan, principal: Principal): CompiledRead
  /** Works everything out anew, after the page limits have changed. */
  clear(): void
}

/** A frontend sends the same queries over and over: what was worked out for one is kept for the next. */
const maxKeptPlans = 2_000
/** Query shapes come from the frontend's code, so there are few; the bound is for hostile callers. */
const maxKeptReads = 1_000
const maxKeptQueryLength = 2_048

export interface PlanScope extends ReadScope {
  readonly auth: Auth
}

export function createReadPlans(
  scope: PlanScope,
  pageLimits: () => { readonly defaultLimit: number; readonly maxLimit: number },
): ReadPlans {
  const plans = new LRUCache<string, ReadPlan>({ max: maxKeptPlans })
  const reads = new LRUCache<string, CompiledRead>({ max: maxKeptReads })

  function makePlan(operation: ReadOperation, model: EntryModel, rawQuery: string): ReadPlan {
    const options: ReadQueryOptions = { ...scope, ...pageLimits() }
    const query = (operation === 'list' ? parseListQuery : parseFindQuery)(rawQuery, model, options)
    // One more than the page tells whether there is a next one, where no total does.
    const limit = query.cursor === undefined && query.withTotal ? query.limit : query.limit + 1
    const page = operation === 'list' ? { [limitSlot]: limit, [offsetSlot]: query.offset } : {}
    return { query, values: { ...bindSlots(query.slots, scope.database), ...page }, variants: new Map() }
  }

  function compile(
    operation: ReadOperation,
    plan: ReadPlan,
    principal: Principal,
    key: string,
  ): CompiledRead {
    const { query } = plan
    const shape = `${operation} ${query.model.type.name} ${key} ${query.shape}`
    const kept = reads.get(shape)
    if (kept !== undefined) return kept
    const visibility = visibilityOf(principal, query.touchedTypes, scope.auth)
    const compiled = (operation === 'list' ? compileList : compileFind)(query, visibility, scope)
    reads.set(shape, compiled)
    return compiled
  }

  return {
    planOf(operation, model, rawQuery) {
      const key = `${operation} ${model.type.name} ${rawQuery}`
      const kept = plans.get(key)
      if (kept !== undefined) return kept
      const plan = makePlan(operation, model, rawQuery)
      if (rawQuery.length <= maxKeptQueryLength) plans.set(key, plan)
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
    clear: () => plans.clear(),
  }
}

/** One character a type: what the caller may see of it. */
function visibilityKey(principal: Principal, types: readonly ContentType[], auth: Auth): string {
  let key = ''
  for (const { name } of types) {
    key += auth.seesDrafts(principal, name) ? 'd' : auth.mayContent(principal, name, 'read') ? 'p' : '-'
  }
  return key
}

/** As it is now: kept with the statements, while the caller's rights may change. */
function visibilityOf(principal: Principal, types: readonly ContentType[], auth: Auth): ReadVisibility {
  const draftTypes = new Set(types.filter(({ name }) => auth.seesDrafts(principal, name)))
  const readTypes = new Set(types.filter(({ name }) => auth.mayContent(principal, name, 'read')))
  return { seesDrafts: (type) => draftTypes.has(type), mayRead: (type) => readTypes.has(type) }
}

function refuseForbidden(query: ReadQuery, principal: Principal, { auth, models }: PlanScope): void {
  const { model, published, deleted, requiredTypes } = query
  for (const name of requiredTypes) {
    // What is shown of system types is shown with whatever points at them.
    const isServed = models.get(name)?.type.system === false
    if (isServed && !auth.mayContent(principal, name, 'read')) auth.refuse(principal)
  }
  const { name, options } = model.type
  if (published === false && options.draftAndPublish && !auth.seesDrafts(principal, name)) {
    throw new AppError('FORBIDDEN', 'only those who may see drafts may ask for them with published=false')
  }
  if (deleted && !auth.isAdministrator(principal)) {
    throw new AppError('FORBIDDEN', 'only administrators may ask for deleted entries with deleted=true')
  }
}
