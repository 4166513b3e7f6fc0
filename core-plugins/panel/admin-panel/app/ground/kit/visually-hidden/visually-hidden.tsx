import type { ReactNode } from 'react'
import classes from './visually-hidden.module.css'

/** Words for screen readers; a picture, a colour or a place says the same to everybody else. */
export function VisuallyHidden({ children }: { readonly children: ReactNode }) {
  return <span className={classes.hidden}>{children}</span>
}

/** Tells screen readers what has just happened. */
export function Announcement({ text }: { readonly text: string }) {
  return (
    <p className={classes.hidden} role="status">
      {text}
    </p>
  )
}
