import { type HookToken, hook } from '../../../kernel/index.ts'
import type { Principal } from '../../foundation/http/http.ts'

/** A state that entries of a type can be in. */
export interface WorkflowState {
  readonly name: string
  readonly label: string
  readonly color: string | null
  /** Whether entries in this state may be published. */
  readonly publishable: boolean
}

/** A transition from one state to another, and the roles that may take it. */
export interface WorkflowTransition {
  readonly from: string
  readonly to: string
  readonly label: string
  /** Undefined: everyone who may update entries of the type. */
  readonly roles?: ReadonlySet<string>
}

/** The approval workflow of a content type. */
export interface Workflow {
  readonly states: ReadonlyMap<string, WorkflowState>
  /** For entries that have never changed state, or whose state the schema no longer has. */
  readonly initialState: WorkflowState
  readonly transitions: readonly WorkflowTransition[]
  /** Whether any state is publishable; if none is, entries may be published in every state. */
  readonly guardsPublishing: boolean
}

/** An entry has changed state; emitted after the commit. */
export const workflowTransitioned: HookToken<{
  readonly contentType: string
  readonly entryId: number
  readonly from: string
  readonly to: string
  readonly comment: string | null
  readonly principal: Principal
}> = hook('workflow:transitioned')
