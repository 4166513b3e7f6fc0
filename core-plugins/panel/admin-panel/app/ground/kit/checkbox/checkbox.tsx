import type { ReactNode } from 'react'
import { Checkbox as AriaCheckbox } from 'react-aria-components/Checkbox'
import { Icon } from '../icon/icon.tsx'
import classes from './checkbox.module.css'

export interface CheckboxProps {
  readonly children?: ReactNode
  /** For one without words beside it. */
  readonly label?: string
  readonly isSelected?: boolean
  /** Some, but not all, of what it stands for. */
  readonly isIndeterminate?: boolean
  readonly isDisabled?: boolean
  readonly onChange?: (isSelected: boolean) => void
  /** The id of help, or of what is wrong. */
  readonly describedBy?: string
  /** `selection` in a row of a grid. */
  readonly slot?: string
}

/** One thing that is so or not, and takes effect when the form is sent. */
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
