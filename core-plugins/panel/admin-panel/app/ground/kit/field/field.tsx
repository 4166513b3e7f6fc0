import { type ReactNode, useId } from 'react'
import hiddenClasses from '../visually-hidden/visually-hidden.module.css'
import classes from './field.module.css'
import { FieldNotes, noteIds } from './field-notes.tsx'

export interface FieldFrameProps {
  readonly label: string
  /** Below the input, always there. */
  readonly help?: ReactNode
  /** What is wrong, said to screen readers with the input. */
  readonly problem?: string | undefined
  readonly isRequired?: boolean
  /** For a label that stands elsewhere on the page already, such as the heading of a column. */
  readonly isLabelHidden?: boolean
}

/** What an input needs to be tied to its label, help and problem. */
export interface FieldIds {
  readonly id: string
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': true | undefined
  readonly required: boolean
}

/** Label, input, help and problem, one above the other. Every input of the panel stands in one. */
export function FieldFrame(props: FieldFrameProps & { readonly children: (ids: FieldIds) => ReactNode }) {
  const { label, help, problem, isRequired = false, isLabelHidden = false, children } = props
  const id = useId()
  const notes = { id, help, problem }
  const ids: FieldIds = {
    id,
    'aria-describedby': noteIds(notes),
    'aria-invalid': problem === undefined ? undefined : true,
    required: isRequired,
  }
  return (
    <div className={classes.field}>
      <label className={isLabelHidden ? hiddenClasses.hidden : classes.label} htmlFor={id}>
        {label}
        {isRequired && <span aria-hidden="true"> *</span>}
      </label>
      {children(ids)}
      <FieldNotes {...notes} />
    </div>
  )
}
