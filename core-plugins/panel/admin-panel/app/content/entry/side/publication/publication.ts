import type { DescribedWorkflow } from '../../../../../../../../client/admin.ts'

/** The publication state of an entry. */
export type Publication =
  | { readonly kind: 'draft' }
  | { readonly kind: 'scheduled'; readonly at: string }
  | { readonly kind: 'public'; readonly since: string; readonly hasDraft: boolean }

/** Derives the state from `published_at` and `has_draft`; undefined for types whose entries are always public. */
export function publicationOf(
  { published_at: at, has_draft: hasDraft }: Readonly<Record<string, unknown>>,
  now = Date.now(),
): Publication | undefined {
  if (at === undefined) return undefined
  if (typeof at !== 'string') return { kind: 'draft' }
  if (Date.parse(at) > now) return { kind: 'scheduled', at }
  return { kind: 'public', since: at, hasDraft: hasDraft === true }
}

/** The time at which the entry is unpublished; undefined if none is set. */
export function unpublishAtOf({ _meta: meta }: Readonly<Record<string, unknown>>): string | undefined {
  return ((meta ?? {}) as { readonly unpublish_at?: string | null }).unpublish_at ?? undefined
}

interface WithWorkflow {
  readonly workflow: DescribedWorkflow | null
}

/** The state of an entry in the workflow of its type; undefined if the type has no workflow. */
export function workflowStateOf(
  { workflow }: WithWorkflow,
  { _meta: meta }: Readonly<Record<string, unknown>>,
): DescribedWorkflow['states'][number] | undefined {
  if (workflow === null) return undefined
  const { workflow_state: name = workflow.initialState } = (meta ?? {}) as {
    readonly workflow_state?: unknown
  }
  return workflow.states.find((state) => state.name === name)
}

/** Whether the workflow allows publishing an entry in its present state; without a workflow, every entry may be published. */
export const isPublishable = (type: WithWorkflow, entry: Readonly<Record<string, unknown>>): boolean =>
  workflowStateOf(type, entry)?.publishable ?? true
