import type { ReactNode } from 'react'
import { Icon } from '../icon/icon.tsx'
import classes from './empty-state.module.css'

export interface EmptyStateProps {
  readonly icon: string
  readonly title: string
  /** What to do next. */
  readonly children?: ReactNode
  readonly action?: ReactNode
}

/** Shown where there is nothing yet, or nothing that matches, with the next step. */
export function EmptyState({ icon, title, children, action }: EmptyStateProps) {
  return (
    <div className={classes.empty}>
      <span className={classes.picture}>
        <Icon name={icon} size="l" />
      </span>
      <p className={classes.title}>{title}</p>
      {children !== undefined && <div className={classes.text}>{children}</div>}
      {action}
    </div>
  )
}
