import { Switch as AriaSwitch } from 'react-aria-components/Switch'
import classes from '../checkbox/checkbox.module.css'
import type { CheckboxProps } from '../checkbox/checkbox.tsx'

/** A switch; unlike a `Checkbox`, it takes effect immediately. */
export function Switch({
  children,
  label,
  ...rest
}: Omit<CheckboxProps, 'describedBy' | 'isIndeterminate' | 'slot'>) {
  return (
    <AriaSwitch
      {...rest}
      {...(label === undefined ? {} : { 'aria-label': label })}
      className={classes.checkbox ?? ''}
    >
      <span className={classes.track} />
      {children}
    </AriaSwitch>
  )
}
