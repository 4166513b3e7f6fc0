import type { DescribedWorkflow } from '../../ground/api/content-types.ts'
import classes from './state-label.module.css'

export interface StateLabelProps {
  /** Undefined if the type no longer has the entry's state. */
  readonly state: DescribedWorkflow['states'][number] | undefined
  /** The label to show if the state is undefined. */
  readonly name: string
}

/** A workflow state: its label with its colour beside it, so that the label is readable in any colour. */
export function StateLabel({ state, name }: StateLabelProps) {
  return (
    <span className={classes.state}>
      <span className={classes.dot} style={state?.color ? { backgroundColor: state.color } : {}} />
      <span className={classes.name}>{state?.label ?? name}</span>
    </span>
  )
}
