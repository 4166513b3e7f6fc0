import type { PluginContext } from '../../../kernel/index.ts'
import type { Auth } from '../../accounts/auth/auth.ts'
import type { Audit } from '../../background/audit/audit.ts'
import type { Content, ContentQueries } from '../../entries/content/content.ts'
import type { Database, Transaction } from '../../foundation/database/database.ts'
import { AppError, type Principal } from '../../foundation/http/http.ts'
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
  /** Transitions out of the state that only others may take; shown to admin users only. */
  readonly refused: readonly WorkflowTransition[]
  /** The version of the entry, which a transition does not change; see `FoundEntry`. */
  readonly version: string
}

export interface TransitionRequest {
  readonly type: string
  readonly id: number
  readonly to: string
  /** The state that the caller believes the entry is in; undefined: any. */
  readonly from: string | undefined
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
  assertEntry(type: string, id: number, principal: Principal): Promise<void>
}

export interface TransitionsDeps {
  readonly workflows: ReadonlyMap<string, Workflow>
  readonly store: WorkflowStore
  readonly database: Database
  readonly content: Content
  readonly contentQueries: ContentQueries
  readonly auth: Auth
  /** Undefined if there is no audit log. */
  readonly audit: Audit | undefined
  readonly emit: PluginContext['emit']
}

export function createTransitions(deps: TransitionsDeps): Transitions {
  const { workflows, store, database, content, contentQueries, auth } = deps

  /** Callers who see drafts get the version with the draft, since their next write must name that one. */
  async function versionOf(type: string, id: number, principal: Principal): Promise<string> {
    const withDraft = contentQueries.keepsDrafts(type) && auth.seesDrafts(principal, type)
    const query = withDraft ? 'fields=id&draft=true' : 'fields=id'
    const found = await content.unguarded.find(type, id, query, principal)
    if (found === undefined) throw AppError.notFound(`${type} ${id}`)
    return found.version
  }

  function workflowOf(type: string): Workflow {
    const workflow = workflows.get(type)
    if (workflow === undefined) throw AppError.notFound(`workflow of ${type}`)
    return workflow
  }

  function standingIn(workflow: Workflow, state: WorkflowState, principal: Principal) {
    const leading = workflow.transitions.filter(({ from }) => from === state.name)
    const transitions = leading.filter((each) => mayTake(auth, each, principal))
    const others = leading.filter((each) => !transitions.includes(each))
    return { state, transitions, refused: principal.kind === 'admin' ? others : [] }
  }

  async function move(
    tx: Transaction,
    workflow: Workflow,
    request: TransitionRequest,
  ): Promise<WorkflowState> {
    const { type, id, principal, ip, comment = null } = request
    const stored = (await store.lockStates(type, [id], tx)).get(id)
    const from = stateOf(workflow, stored)
    if (request.from !== undefined && request.from !== from.name) throw overtaken(request)
    const to = targetOf(workflow, from, request)
    if (!mayTake(auth, to.transition, principal)) {
      throw refusal(to.transition, principal)
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
    async assertEntry(type, id, principal) {
      await versionOf(type, id, principal)
      workflowOf(type)
    },
    async find(type, id, principal) {
      const version = await versionOf(type, id, principal)
      const workflow = workflowOf(type)
      const stored = (await store.states(type, [id])).get(id)
      const state = stateOf(workflow, stored)
      return { ...standingIn(workflow, state, principal), version }
    },
    async take(request) {
      const { type, id, principal } = request
      const version = await versionOf(type, id, principal)
      const workflow = workflowOf(type)
      const state = await database.transaction((tx) => move(tx, workflow, request))
      return { ...standingIn(workflow, state, principal), version }
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

/** Admin users learn which roles may take the transition. Other callers must not learn about the roles of the panel. */
function refusal({ from, to, roles }: WorkflowTransition, principal: Principal): AppError {
  const message = `your role may not move an entry from ${from} to ${to}`
  if (principal.kind !== 'admin' || roles === undefined) return AppError.forbidden(message)
  return AppError.forbidden(`${message}; ${[...roles].join(', ')} may`)
}

/** Tokens have no role: with full access they may take every transition, otherwise those open to everyone. */
export function mayTake(auth: Auth, { roles }: WorkflowTransition, principal: Principal): boolean {
  if (roles === undefined) return true
  if (principal.kind === 'token') return auth.isAdministrator(principal)
  if (principal.kind === 'anonymous') return roles.has('public')
  return roles.has(principal.role) || auth.isSuperAdmin(principal)
}
