import type { ReactNode } from 'react'
import { Toolbar as AriaToolbar } from 'react-aria-components/Toolbar'
import classes from './toolbar.module.css'

/** Buttons that belong together: one stop for Tab, arrows within. */
export function Toolbar({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <AriaToolbar aria-label={label} className={classes.toolbar ?? ''}>
      {children}
    </AriaToolbar>
  )
}
