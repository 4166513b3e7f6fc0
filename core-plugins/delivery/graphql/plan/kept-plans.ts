import type { DocumentNode, OperationDefinitionNode } from 'graphql'
import { LRUCache } from 'lru-cache'
import { upTo } from '../../../../kernel/index.ts'
import type { GraphqlRequest } from '../graphql.ts'
import { type OperationPlan, type PlanOptions, planOperation } from './operation-plan.ts'

/** Plans operations; those that clients send over and over only once. */
export interface KeptPlans {
  /** Of a query that has been planned before, so that its document is known to be valid. */
  find(request: GraphqlRequest): OperationPlan | undefined
  /** @throws RefusedRequest for variables that do not fit, and for what costs too much */
  make(request: GraphqlRequest, document: DocumentNode, operation: OperationDefinitionNode): OperationPlan
  /** Works everything out anew, after limits have changed. */
  clear(): void
}

const maxKeptPlans = 1_000
/** Longer ones are worked out each time. In characters, variables included. */
const maxKeptLength = 20_000

export function keepPlans(optionsNow: () => PlanOptions): KeptPlans {
  const plans = new LRUCache<string, OperationPlan>(upTo(maxKeptPlans))
  return {
    find: (request) => (mayBeKept(request) ? plans.get(keyOf(request)) : undefined),
    make(request, document, operation) {
      const plan = planOperation(document, operation, request.variables, optionsNow())
      // What a mutation writes is different each time.
      if (plan.isMutation) return plan
      const key = keyOf(request)
      if (key.length <= maxKeptLength) plans.set(key, plan)
      return plan
    },
    clear: () => plans.clear(),
  }
}

/** Cheap, and most often right: no key has to be made of a mutation, or of what is too long. */
function mayBeKept({ source }: GraphqlRequest): boolean {
  return source.length <= maxKeptLength && !/^[\s,]*mutation\b/.test(source)
}

function keyOf({ source, variables, operationName }: GraphqlRequest): string {
  return `${JSON.stringify([operationName, variables])} ${source}`
}
