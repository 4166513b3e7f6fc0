import { type ReactNode, useId, useRef } from 'react'
import type { FieldFrameProps } from '../../../ground/kit/field/field.tsx'
import { FieldNotes, noteIds } from '../../../ground/kit/field/field-notes.tsx'
import classes from './field-group.module.css'
import { useKeptFocus } from './use-kept-focus.ts'

export interface FieldGroupProps extends Pick<FieldFrameProps, 'label' | 'help' | 'problem' | 'isRequired'> {
  /** Beside the label: a count, buttons. */
  readonly aside?: ReactNode
  readonly children: (ids: GroupIds) => ReactNode
}

/** The ids that connect the parts of a field with its label. */
export interface GroupIds {
  readonly labelledBy: string
  readonly describedBy: string | undefined
}

/** The frame of a field with several inputs: its label names a group. */
export function FieldGroup({ label, help, problem, isRequired = false, aside, children }: FieldGroupProps) {
  const id = useId()
  const group = useRef<HTMLDivElement>(null)
  const { onFocus } = useKeptFocus(group)
  const notes = { id, help, problem }
  const ids = { labelledBy: `${id}-label`, describedBy: noteIds(notes) }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot have its legend beside other things
    <div
      ref={group}
      role="group"
      onFocus={onFocus}
      aria-labelledby={ids.labelledBy}
      aria-describedby={ids.describedBy}
      className={classes.group}
    >
      <div className={classes.head}>
        <span id={ids.labelledBy} className={classes.label}>
          {label}
          {isRequired && <span aria-hidden="true"> *</span>}
        </span>
        {aside}
      </div>
      {children(ids)}
      <FieldNotes {...notes} />
    </div>
  )
}
