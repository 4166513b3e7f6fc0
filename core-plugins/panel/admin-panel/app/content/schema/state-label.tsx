import type { DescribedWorkflow } from '../../ground/api/content-types.ts'
import classes from './state-label.module.css'

export interface StateLabelProps {
  /** Undefined where an entry is in a state that the type does not have any more. */
  readonly state: DescribedWorkflow['states'][number] | undefined
  /** What it is called without one. */
  readonly name: string
}

/** A state of a workflow: its word, and its colour beside it, so that neither is ever unreadable on the other. */
export function StateLabel({ state, name }: StateLabelProps) {
  return (
    <span className={classes.state}>
      <span className={classes.dot} style={state?.color ? { backgroundColor: state.color } : {}} />
      <span className={classes.name}>{state?.label ?? name}</span>
    </span>
  )
}
