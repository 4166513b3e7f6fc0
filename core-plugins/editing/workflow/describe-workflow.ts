import type { TypeFacts } from '../../entries/content-types/content-types.ts'
import type { ContentType } from '../../foundation/schemas/schemas.ts'
import type { Workflow, WorkflowState } from './workflow.ts'

/** Describes the workflow of a type to clients. */
export const describeWorkflows =
  (workflows: ReadonlyMap<string, Workflow>) =>
  (type: ContentType): TypeFacts => {
    const workflow = workflows.get(type.name)
    return workflow === undefined ? {} : { workflow: describe(workflow) }
  }

function describe({ states, initialState, transitions, guardsPublishing }: Workflow) {
  const describeState = ({ name, label, color, publishable }: WorkflowState) => ({
    ...{ name, label, color },
    publishable: publishable || !guardsPublishing,
  })
  return {
    initialState: initialState.name,
    states: [...states.values()].map(describeState),
    transitions: transitions.map(({ from, to, label, roles }) => ({
      ...{ from, to, label },
      ...(roles === undefined ? {} : { roles: [...roles] }),
    })),
  }
}
