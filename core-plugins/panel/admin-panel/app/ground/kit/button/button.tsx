import type { ReactNode } from 'react'
import { Button as AriaButton, type ButtonProps as AriaProps } from 'react-aria-components/Button'
import { Icon } from '../icon/icon.tsx'
import classes from './button.module.css'

type Look = 'primary' | 'secondary' | 'plain' | 'danger'

export interface ButtonProps extends Omit<AriaProps, 'className' | 'style' | 'children'> {
  /** `primary` once per screen for the main action; `plain` for buttons among other content. */
  readonly look?: Look
  readonly size?: 's' | 'm'
  readonly icon?: string
  readonly children: ReactNode
}

/** Buttons are of size `m` without a class. */
const classOf = (shape: string | undefined, look: Look, size: 's' | 'm') =>
  `${shape} ${classes[look]}${size === 's' ? ` ${classes.s}` : ''}`

/** A button with text. While `isPending`, it keeps its width and cannot be pressed again. */
export function Button({ look = 'secondary', size = 'm', icon, children, ...rest }: ButtonProps) {
  return (
    <AriaButton {...rest} className={classOf(classes.button, look, size)}>
      {icon !== undefined && <Icon name={icon} />}
      <span className={classes.label}>{children}</span>
    </AriaButton>
  )
}

export interface IconButtonProps extends Omit<ButtonProps, 'children' | 'icon'> {
  readonly icon: string
  /** The action: shown as a tooltip and read by screen readers. */
  readonly label: string
}

/** A button with only an icon. */
export function IconButton({ look = 'plain', size = 'm', icon, label, ...rest }: IconButtonProps) {
  return (
    <AriaButton
      {...rest}
      aria-label={label}
      data-tooltip={label}
      className={classOf(`${classes.button} ${classes.square}`, look, size)}
    >
      <Icon name={icon} />
    </AriaButton>
  )
}
