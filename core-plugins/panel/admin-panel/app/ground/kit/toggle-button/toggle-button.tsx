import { ToggleButton as AriaToggleButton } from 'react-aria-components/ToggleButton'
import { Icon } from '../icon/icon.tsx'
import classes from './toggle-button.module.css'

export interface ToggleButtonProps {
  readonly icon: string
  /** What it turns on: shown as a tooltip and read by screen readers. */
  readonly label: string
  /** Its shortcut, shown beside the label: `⌘B`. */
  readonly keys?: string
  readonly isSelected: boolean
  readonly onChange: () => void
  readonly isDisabled?: boolean
}

/** An icon button that is on or off. */
export function ToggleButton({
  icon,
  label,
  keys,
  isSelected,
  onChange,
  isDisabled = false,
}: ToggleButtonProps) {
  return (
    <AriaToggleButton
      className={classes.toggle ?? ''}
      aria-label={label}
      data-tooltip={keys === undefined ? label : `${label} · ${keys}`}
      isSelected={isSelected}
      isDisabled={isDisabled}
      onChange={onChange}
    >
      <Icon name={icon} />
    </AriaToggleButton>
  )
}
