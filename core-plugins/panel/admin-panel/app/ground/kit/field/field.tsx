import { type ReactNode, useId } from 'react'
import hiddenClasses from '../visually-hidden/visually-hidden.module.css'
import classes from './field.module.css'
import { FieldNotes, noteIds } from './field-notes.tsx'

export interface FieldFrameProps {
  readonly label: string
  /** Shown below the input. */
  readonly help?: ReactNode
  /** The problem, which screen readers read with the input. */
  readonly problem?: string | undefined
  readonly isRequired?: boolean
  /** Hides a label that is already on the page, such as in a column heading. */
  readonly isLabelHidden?: boolean
}

/** The ids that connect an input with its label, help and problem. */
export interface FieldIds {
  readonly id: string
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': true | undefined
  readonly required: boolean
}

/** The frame of every input: label, input, help and problem, one above the other. */
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
