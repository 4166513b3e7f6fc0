import type { ReactNode } from 'react'
import classes from './visually-hidden.module.css'

/** Text for screen readers only, for what others see from an icon, a colour or a position. */
export function VisuallyHidden({ children }: { readonly children: ReactNode }) {
  return <span className={classes.hidden}>{children}</span>
}

/** Announces to screen readers what has just happened. */
export function Announcement({ text }: { readonly text: string }) {
  return (
    <p className={classes.hidden} role="status">
      {text}
    </p>
  )
}
