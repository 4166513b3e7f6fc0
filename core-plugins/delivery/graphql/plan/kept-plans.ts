import type { DocumentNode, OperationDefinitionNode } from 'graphql'
import { LRUCache } from 'lru-cache'
import { upTo } from '../../../../kernel/index.ts'
import type { GraphqlRequest } from '../graphql.ts'
import { type OperationPlan, type PlanOptions, planOperation } from './operation-plan.ts'

/** Plans operations, with a cache for queries that clients repeat. */
export interface KeptPlans {
  /** The cached plan of a query, whose document is therefore valid. */
  find(request: GraphqlRequest): OperationPlan | undefined
  /** @throws RefusedRequest for invalid variables, and if the operation is too expensive */
  make(request: GraphqlRequest, document: DocumentNode, operation: OperationDefinitionNode): OperationPlan
  /** Clears the cache, after limits have changed. */
  clear(): void
}

const maxKeptPlans = 1_000
/** In characters, including variables. Longer queries are not cached. */
const maxKeptLength = 20_000

export function keepPlans(optionsNow: () => PlanOptions): KeptPlans {
  const plans = new LRUCache<string, OperationPlan>(upTo(maxKeptPlans))
  return {
    find: (request) => (mayBeKept(request) ? plans.get(keyOf(request)) : undefined),
    make(request, document, operation) {
      const plan = planOperation(document, operation, request.variables, optionsNow())
      // Not cached, since the written values differ each time.
      if (plan.isMutation) return plan
      const key = keyOf(request)
      if (key.length <= maxKeptLength) plans.set(key, plan)
      return plan
    },
    clear: () => plans.clear(),
  }
}

/** A cheap check that is mostly right, so that no cache key is computed for mutations and long queries. */
function mayBeKept({ source }: GraphqlRequest): boolean {
  return source.length <= maxKeptLength && !/^[\s,]*mutation\b/.test(source)
}

function keyOf({ source, variables, operationName }: GraphqlRequest): string {
  return `${JSON.stringify([operationName, variables])} ${source}`
}
