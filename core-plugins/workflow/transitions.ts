import type { PluginContext } from '../../kernel/index.ts'
import type { Audit } from '../audit/audit.ts'
import type { Auth } from '../auth/auth.ts'
import type { Content } from '../content/content.ts'
import type { Database, Transaction } from '../database/database.ts'
import { AppError, type Principal } from '../http/http.ts'
import {
  type Workflow,
  type WorkflowState,
  type WorkflowTransition,
  workflowTransitioned,
} from './workflow.ts'
import type { WorkflowStore } from './workflow-store.ts'

/** The state of an entry, and the transitions open to the caller. */
export interface Standing {
  readonly state: WorkflowState
  readonly transitions: readonly WorkflowTransition[]
}

export interface TransitionRequest {
  readonly type: string
  readonly id: number
  readonly to: string
  readonly comment: string | undefined
  readonly principal: Principal
  readonly ip: string
}

export interface Transitions {
  /** @throws AppError 404 if the caller may not see the entry, and for types without a workflow */
  find(type: string, id: number, principal: Principal): Promise<Standing>
  /** Of several concurrent transitions one succeeds. @throws AppError 403, 404, 409 INVALID_TRANSITION */
  take(request: TransitionRequest): Promise<Standing>
  /** @throws AppError like `find` */
  assertEntry(type: string, id: number, principal: Principal): Promise<Workflow>
}

export interface TransitionsDeps {
  readonly workflows: ReadonlyMap<string, Workflow>
  readonly store: WorkflowStore
  readonly database: Database
  readonly content: Content
  readonly auth: Auth
  /** Undefined if there is no audit log. */
  readonly audit: Audit | undefined
  readonly emit: PluginContext['emit']
}

export function createTransitions(deps: TransitionsDeps): Transitions {
  const { workflows, store, database, content, auth } = deps

  async function assertEntry(type: string, id: number, principal: Principal): Promise<Workflow> {
    const found = await content.find(type, id, 'fields=id', principal)
    if (found === undefined) throw AppError.notFound(`${type} ${id}`)
    const workflow = workflows.get(type)
    if (workflow === undefined) throw AppError.notFound(`workflow of ${type}`)
    return workflow
  }

  function standingIn(workflow: Workflow, state: WorkflowState, principal: Principal): Standing {
    const transitions = workflow.transitions.filter(
      (transition) => transition.from === state.name && mayTake(auth, transition, principal),
    )
    return { state, transitions }
  }

  async function move(
    tx: Transaction,
    workflow: Workflow,
    request: TransitionRequest,
  ): Promise<WorkflowState> {
    const { type, id, principal, ip, comment = null } = request
    const stored = (await store.lockStates(type, [id], tx)).get(id)
    const from = stateOf(workflow, stored)
    const to = targetOf(workflow, from, request)
    if (!mayTake(auth, to.transition, principal)) {
      throw AppError.forbidden(`your role may not move an entry from ${from.name} to ${to.state.name}`)
    }
    const step = { type, entryId: id, from: from.name, to: to.state.name, now: new Date().toISOString() }
    if (!(await store.move(step, stored, tx))) throw overtaken(request)
    await store.record(step, { comment, principal }, tx)
    const details = { from: step.from, to: step.to }
    const record = { action: 'workflow.transition', principal, resource: `${type}:${id}`, details, ip }
    await deps.audit?.record(record, tx)
    const event = { contentType: type, entryId: id, ...details, comment, principal }
    tx.afterCommit(() => deps.emit(workflowTransitioned, event))
    return to.state
  }

  return {
    assertEntry,
    async find(type, id, principal) {
      const workflow = await assertEntry(type, id, principal)
      const stored = (await store.states(type, [id])).get(id)
      return standingIn(workflow, stateOf(workflow, stored), principal)
    },
    async take(request) {
      const { type, id, principal } = request
      const workflow = await assertEntry(type, id, principal)
      const state = await database.transaction((tx) => move(tx, workflow, request))
      return standingIn(workflow, state, principal)
    },
  }
}

/** The state of an entry; the initial one if none is stored, or one that the schema no longer has. */
export function stateOf(workflow: Workflow, stored: string | undefined): WorkflowState {
  return workflow.states.get(stored ?? '') ?? workflow.initialState
}

function targetOf(workflow: Workflow, from: WorkflowState, { to }: TransitionRequest) {
  const transition = workflow.transitions.find((each) => each.from === from.name && each.to === to)
  const state = workflow.states.get(to)
  if (transition !== undefined && state !== undefined) return { transition, state }
  const possible = workflow.transitions.filter((each) => each.from === from.name).map((each) => each.to)
  const ways = possible.length === 0 ? 'nowhere' : `to ${possible.join(', ')} only`
  throw new AppError('INVALID_TRANSITION', `the entry is in the state ${from.name}, which leads ${ways}`)
}

function overtaken({ to }: TransitionRequest): AppError {
  const message = `somebody else has just changed the state of the entry, so it did not go to ${to}; look again`
  return new AppError('INVALID_TRANSITION', message)
}

/** Tokens have no role: with full access they may take every transition, otherwise those open to everyone. */
function mayTake(auth: Auth, { roles }: WorkflowTransition, principal: Principal): boolean {
  if (roles === undefined) return true
  if (principal.kind === 'token') return auth.isAdministrator(principal)
  if (principal.kind === 'anonymous') return roles.has('public')
  return roles.has(principal.role) || auth.isSuperAdmin(principal)
}
