import { groupBy } from '../../../kernel/index.ts'
import type { WriteStage } from '../../entries/content/content.ts'
import { untilCommit } from '../../foundation/database/database.ts'
import { AppError, type ErrorDetail } from '../../foundation/http/http.ts'
import { stateOf } from './transitions.ts'
import type { Workflow } from './workflow.ts'
import type { WorkflowStore } from './workflow-store.ts'

interface Written {
  readonly type: string
  readonly id: number
}

type Workflows = ReadonlyMap<string, Workflow>

/**
 * Allows entries to be published only in publishable states. Checked at the end of the transaction: all
 * entries of a release with one query, and locked, so that no transition can intervene.
 */
export function guardPublishing(workflows: Workflows, store: WorkflowStore): WriteStage {
  const check = untilCommit<Written>(async (entries, tx) => {
    let details: ErrorDetail[] = []
    for (const [type, some] of groupBy(entries, (entry) => entry.type)) {
      const workflow = workflows.get(type)
      if (workflow === undefined) continue
      const ids = some.map(({ id }) => id)
      const stored = await store.lockStates(type, ids, tx)
      details = [...details, ...ids.flatMap((id) => refusal(workflow, { type, id }, stored.get(id)))]
    }
    const [first] = details
    if (first === undefined) return
    const more = details.length > 1 ? ` (and ${details.length - 1} more)` : ''
    throw new AppError('NOT_PUBLISHABLE', `${first.path} ${first.message}${more}`, { details })
  })
  return {
    name: 'workflow: publishable states',
    matches: ({ type, operation }) =>
      operation === 'publish' && workflows.get(type.name)?.guardsPublishing === true,
    run({ type, tx, before }, next) {
      if (before !== undefined) check(tx, { type: type.name, id: before.id })
      return next()
    },
  }
}

function refusal(workflow: Workflow, { type, id }: Written, stored: string | undefined): ErrorDetail[] {
  const state = stateOf(workflow, stored)
  if (state.publishable) return []
  const publishable = [...workflow.states.values()].filter((each) => each.publishable).map(({ name }) => name)
  const message = `is in the state ${state.name}; it can be published in ${publishable.join(', ')}`
  return [{ path: `${type}:${id}`, code: 'NOT_PUBLISHABLE', message }]
}
