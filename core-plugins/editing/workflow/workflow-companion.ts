import { Type } from 'typebox'
import type { PluginContext } from '../../../kernel/index.ts'
import type { Auth } from '../../accounts/auth/auth.ts'
import type { Audit } from '../../background/audit/audit.ts'
import { AppError, type ErrorDetail, type Principal, strict } from '../../foundation/http/http.ts'
import type { ContentType } from '../../foundation/schemas/schemas.ts'
import type {
  CompanionChange,
  CompanionWrite,
  CompanionWriter,
  EntryCompanion,
} from '../../foundation/sections/sections.ts'
import { mayTake, stateOf } from './transitions.ts'
import { type Workflow, workflowTransitioned } from './workflow.ts'
import type { Move, WorkflowStore } from './workflow-store.ts'

const valueSchema = Type.Object({ state: Type.String({ minLength: 1, maxLength: 64 }) }, strict)

/** The scope with which a token may bring entries into any state by a transfer. */
const anyState = 'admin:transfer:workflow'

export interface WorkflowCompanionDeps {
  readonly workflows: ReadonlyMap<string, Workflow>
  readonly store: WorkflowStore
  readonly auth: Auth
  /** Undefined if there is no audit log. */
  readonly audit: Audit | undefined
  readonly emit: PluginContext['emit']
}

/** The states of entries in transfers; entries in their initial state are left out. */
export function workflowCompanion(deps: WorkflowCompanionDeps): EntryCompanion {
  const { workflows, store } = deps
  const workflowOf = ({ name }: ContentType) => workflows.get(name) as Workflow
  return {
    name: 'workflow',
    matches: ({ name }) => workflows.has(name),
    valueSchema,
    async read(type, ids, tx) {
      const { name } = type
      const stored = await (tx === undefined ? store.states(name, ids) : store.lockStates(name, ids, tx))
      const workflow = workflowOf(type)
      const states = [...stored].map(([id, state]) => [id, { state: stateOf(workflow, state).name }] as const)
      return new Map(states.filter(([, { state }]) => state !== workflow.initialState.name))
    },
    *missingRights(principal, type, change) {
      const [from, to] = [nameIn(type, change.present), nameIn(type, change.value)]
      if (!mayBring(principal, workflowOf(type), { from, to })) {
        yield `the right to bring entries from ${from} to ${to} (${anyState})`
      }
    },
    write: (type, changes, by) => bring(type, changes, by),
  }

  function nameIn(type: ContentType, value: CompanionChange['value']): string {
    return value === undefined ? workflowOf(type).initialState.name : String(value.state)
  }

  /** Whether the caller may take a chain of transitions from one state to the other; a transfer takes them all at once. */
  function mayBring(
    principal: Principal,
    workflow: Workflow,
    { from, to }: Pick<Move, 'from' | 'to'>,
  ): boolean {
    if (principal.kind === 'token' && deps.auth.mayAdminister(principal, anyState)) return true
    const reached = new Set([from])
    // Iterating over a set includes elements added during the iteration.
    for (const state of reached) {
      for (const transition of workflow.transitions) {
        if (transition.from === state && mayTake(deps.auth, transition, principal)) reached.add(transition.to)
      }
    }
    return reached.has(to)
  }

  async function bring(
    type: ContentType,
    changes: readonly CompanionWrite[],
    { tx, principal, ip }: CompanionWriter,
  ): Promise<void> {
    const workflow = workflowOf(type)
    const ids = changes.map(({ id }) => id)
    const stored = await store.lockStates(type.name, ids, tx)
    const now = new Date().toISOString()
    const problems: ErrorDetail[] = []
    const moves = changes.map(({ id, name, value }): Move => {
      const move = { from: stateOf(workflow, stored.get(id)).name, to: nameIn(type, value) }
      const problem = problemOf(workflow, principal, move)
      if (problem !== undefined) problems.push({ path: `${name}.beside.workflow`, ...problem })
      return { type: type.name, entryId: id, ...move, now }
    })
    assertNone(problems)
    await store.moveMany(moves, stored, tx)
    await store.recordMany(moves, { comment: null, principal }, tx)
    const records = moves.map(({ entryId, from, to }) => ({
      ...{ action: 'workflow.transition', principal, ip },
      ...{ resource: `${type.name}:${entryId}`, details: { from, to } },
    }))
    await deps.audit?.recordMany(records, tx)
    tx.afterCommit(() => {
      for (const { entryId, from, to } of moves) {
        const event = { contentType: type.name, entryId, from, to, comment: null, principal }
        deps.emit(workflowTransitioned, event)
      }
    })
  }

  /** States may have changed since the rights were checked, because entries in their initial state have no row to lock. */
  function problemOf(workflow: Workflow, principal: Principal, move: Pick<Move, 'from' | 'to'>) {
    if (!workflow.states.has(move.to)) {
      return { code: 'unknown', message: `is ${move.to}, which the workflow does not have here` }
    }
    if (mayBring(principal, workflow, move)) return undefined
    return { code: 'forbidden', message: `you may not bring it from ${move.from} to ${move.to}` }
  }
}

function assertNone(problems: readonly ErrorDetail[]): void {
  const [first] = problems
  if (first === undefined) return
  const message = `${first.path} ${first.message}`
  const code = problems.some((problem) => problem.code === 'forbidden') ? 'FORBIDDEN' : 'CONFLICT'
  throw new AppError(code, message, { details: problems.slice(0, 100) })
}
