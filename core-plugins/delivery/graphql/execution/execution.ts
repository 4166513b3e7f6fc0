import type { Awaitable } from '../../../../kernel/index.ts'
import type { GraphqlRequest } from '../graphql.ts'
import type { Call } from '../plan/call.ts'
import type { OperationPlan } from '../plan/operation-plan.ts'

/** One request during its execution; the context of resolvers and loaders. */
export interface Execution {
  readonly request: GraphqlRequest
  readonly call: Call
  /** Set from the beginning if the plan was cached, else after validation of the document. */
  plan: OperationPlan | undefined
  /** Resolves one root field by its response key. @throws any error of that field */
  answer(key: string): Awaitable<unknown>
}
