import type { ReactNode } from 'react'
import { Toolbar as AriaToolbar } from 'react-aria-components/Toolbar'
import classes from './toolbar.module.css'

/** A toolbar: one tab stop, arrow keys within. */
export function Toolbar({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <AriaToolbar aria-label={label} className={classes.toolbar ?? ''}>
      {children}
    </AriaToolbar>
  )
}
