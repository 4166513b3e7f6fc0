import { Kind, OperationTypeNode, parse, specifiedRules, validate } from 'graphql'
import { LRUCache } from 'lru-cache'
import type { Awaitable } from '../../../../kernel/index.ts'
import { upTo } from '../../../../kernel/index.ts'
import type { Entry } from '../../../entries/content/content.ts'
import type { Principal } from '../../../foundation/http/http.ts'
import { withoutLeniencies } from '../document/leniency.ts'
import { checkStructure, maxTokens } from '../document/limits.ts'
import { operationNamed } from '../document/operation-named.ts'
import { refuseRule } from '../errors.ts'
import type { GraphqlAnswer, GraphqlRequest } from '../graphql.ts'
import type { EntryEvent, FollowedEntries } from '../plan/entry-event.ts'
import { type OperationPlan, type PlanOptions, planOperation } from '../plan/operation-plan.ts'
import { validateOptions } from './mercurius.ts'

/** A validated subscription, independent of the caller. */
export interface PreparedSubscription {
  /** Equal for the same document with the same variables. */
  readonly key: string
  readonly followed: FollowedEntries
  /** The content types that the document names. */
  readonly namedTypes: ReadonlySet<string>
  /** Whether events contain more than entries of the type: related entries, or fields of plugins. */
  readonly showsOthers: boolean
  readonly hasPluginFields: boolean
  /**
   * The selected fields of these entries, as far as the caller may see them.
   * @throws AppError 400 for invalid arguments, 401 or 403, AnswerTooLarge
   */
  read(ids: readonly number[], principal: Principal): Promise<readonly Entry[]>
  /** The ids of those of these entries that the caller may see. */
  readIds(ids: readonly number[], principal: Principal): Promise<readonly number[]>
  /** The message for an event, or for the error that prevented it. Never throws. */
  answer(event: EntryEvent | Error, principal: Principal): Awaitable<GraphqlAnswer>
}

export type SubscriptionRequest = Pick<GraphqlRequest, 'source' | 'variables' | 'operationName'>

export interface PreparationParts {
  readonly options: () => PlanOptions & { readonly maxDepth: number }
  readonly listOf: (
    type: string,
    query: NonNullable<FollowedEntries['query']>,
    principal: Principal,
  ) => Awaitable<{ readonly entries: readonly Entry[] }>
  readonly answer: (
    plan: OperationPlan,
    request: SubscriptionRequest & { readonly principal: Principal },
    event: EntryEvent | Error,
  ) => Awaitable<GraphqlAnswer>
}

/** Prepares subscriptions, with a cache for those that many clients send. */
export interface Preparation {
  /** @throws RefusedRequest, or the errors in `errors`, if the subscription is invalid or too expensive */
  prepare(request: SubscriptionRequest): PreparedSubscription
  /** Clears the cache, after limits have changed. */
  clear(): void
}

/** Whether all operations of a document are subscriptions. */
export function isSubscription(source: string): boolean {
  if (!source.includes('subscription')) return false
  try {
    const operations = parse(source, { maxTokens }).definitions.filter(
      (each) => each.kind === Kind.OPERATION_DEFINITION,
    )
    return operations.length > 0 && operations.every(({ operation }) => operation === 'subscription')
  } catch {
    return false
  }
}

/** Whether the selected operation is a query or a mutation. */
export function isRequest(source: string, operationName: string | undefined): boolean {
  try {
    return operationNamed(parse(source, { maxTokens }), operationName).operation !== 'subscription'
  } catch {
    return false
  }
}

const maxKept = 500
/** In characters, including variables. Longer subscriptions are not cached. */
const maxKeptLength = 20_000

export function createPreparation(parts: PreparationParts): Preparation {
  const kept = new LRUCache<string, PreparedSubscription>(upTo(maxKept))
  return {
    prepare(request) {
      const { source, variables, operationName } = request
      const key = `${JSON.stringify([operationName, variables])} ${source}`
      const known = kept.get(key)
      if (known !== undefined) return known
      const prepared = bind(key, request, planOf(request, parts.options), parts)
      if (key.length <= maxKeptLength) kept.set(key, prepared)
      return prepared
    },
    clear: () => kept.clear(),
  }
}

function planOf(request: SubscriptionRequest, optionsNow: PreparationParts['options']): OperationPlan {
  const options = optionsNow()
  const { schema } = options
  const parsed = parse(request.source, { maxTokens })
  checkStructure(parsed, options.maxDepth)
  const document = { ...parsed, ...withoutLeniencies(parsed, schema) }
  const errors = validate(schema, document, specifiedRules, validateOptions)
  if (errors.length > 0) throw Object.assign(new Error('the document is not valid'), { errors })
  const operation = operationNamed(document, request.operationName)
  if (operation.operation !== OperationTypeNode.SUBSCRIPTION) {
    throw refuseRule('operation', 'only subscriptions come this way; send queries and mutations with POST')
  }
  return planOperation(document, operation, request.variables, options)
}

function bind(
  key: string,
  request: SubscriptionRequest,
  plan: OperationPlan,
  { listOf, answer }: PreparationParts,
): PreparedSubscription {
  const { followed, hasPluginFields, namedTypes } = plan
  if (followed === undefined) throw refuseRule('operation', 'asks for nothing that happens to entries')
  const { type, query } = followed
  const list = async (shown: typeof query, ids: readonly number[], principal: Principal) => {
    const page = { ...shown, filters: { id: { $in: ids } }, limit: ids.length }
    return (await listOf(type, page, principal)).entries
  }
  return {
    ...{ key, followed, hasPluginFields, namedTypes },
    showsOthers: hasPluginFields || (query.populate ?? []).length > 0,
    read: (ids, principal) => list(query, ids, principal),
    async readIds(ids, principal) {
      const found = await list({ ...query, fields: ['id'], populate: [] }, ids, principal)
      return found.map(({ id }) => id)
    },
    answer: (event, principal) => answer(plan, { ...request, principal }, event),
  }
}
