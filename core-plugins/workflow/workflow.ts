import { type HookToken, hook } from '../../kernel/index.ts'
import type { Principal } from '../http/http.ts'

export interface WorkflowState {
  readonly name: string
  readonly label: string
  readonly color: string | null
  /** Whether entries may be published in it. */
  readonly publishable: boolean
}

export interface WorkflowTransition {
  readonly from: string
  readonly to: string
  readonly label: string
  /** Undefined: whoever may update entries of the type. */
  readonly roles?: ReadonlySet<string>
}

/** The approval workflow of a content type. */
export interface Workflow {
  readonly states: ReadonlyMap<string, WorkflowState>
  /** Of entries that have never changed theirs, or whose state the schema does not have any more. */
  readonly initialState: WorkflowState
  readonly transitions: readonly WorkflowTransition[]
  /** Whether any state says that entries may be published in it; without one, they may be in all. */
  readonly guardsPublishing: boolean
}

/** An entry has gone from one state to another; after the commit. */
export const workflowTransitioned: HookToken<{
  readonly contentType: string
  readonly entryId: number
  readonly from: string
  readonly to: string
  readonly comment: string | null
  readonly principal: Principal
}> = hook('workflow:afterTransition')
