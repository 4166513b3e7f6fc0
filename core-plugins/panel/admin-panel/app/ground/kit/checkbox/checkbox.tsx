import type { ReactNode } from 'react'
import { Checkbox as AriaCheckbox } from 'react-aria-components/Checkbox'
import { Icon } from '../icon/icon.tsx'
import classes from './checkbox.module.css'

export interface CheckboxProps {
  readonly children?: ReactNode
  /** The accessible name of a checkbox without visible text. */
  readonly label?: string
  readonly isSelected?: boolean
  /** Whether some, but not all, of the items it represents are selected. */
  readonly isIndeterminate?: boolean
  readonly isDisabled?: boolean
  readonly onChange?: (isSelected: boolean) => void
  /** The id of the help text or problem. */
  readonly describedBy?: string
  /** `selection` for the checkbox of a grid row. */
  readonly slot?: string
}

/** A checkbox; unlike a `Switch`, it takes effect when the form is sent. */
export function Checkbox({ children, label, describedBy, ...rest }: CheckboxProps) {
  return (
    <AriaCheckbox
      {...rest}
      {...(label === undefined ? {} : { 'aria-label': label })}
      {...(describedBy === undefined ? {} : { 'aria-describedby': describedBy })}
      className={classes.checkbox ?? ''}
    >
      {({ isSelected, isIndeterminate }) => (
        <>
          <span className={classes.box}>
            {isIndeterminate ? <Icon name="minus" size="s" /> : isSelected && <Icon name="check" size="s" />}
          </span>
          {children}
        </>
      )}
    </AriaCheckbox>
  )
}
