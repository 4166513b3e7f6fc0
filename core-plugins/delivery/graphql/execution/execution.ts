import type { Awaitable } from '../../../../kernel/index.ts'
import type { GraphqlRequest } from '../graphql.ts'
import type { Call } from '../plan/call.ts'
import type { OperationPlan } from '../plan/operation-plan.ts'

/** One request while it is executed; what resolvers and loaders get as their context. */
export interface Execution {
  readonly request: GraphqlRequest
  readonly call: Call
  /** There from the beginning where it was kept, else once the document has been validated. */
  plan: OperationPlan | undefined
  /** Answers one field of the operation. @throws whatever keeps it from being answered */
  answer(key: string): Awaitable<unknown>
}
