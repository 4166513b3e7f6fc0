import type { ReactNode } from 'react'
import classes from './badge.module.css'

export interface BadgeProps {
  readonly tone?: 'neutral' | 'info' | 'success' | 'warning' | 'danger'
  readonly children: ReactNode
}

/** A state in a word. The colour only repeats what the word says. */
export function Badge({ tone = 'neutral', children }: BadgeProps) {
  return <span className={`${classes.badge} ${classes[tone]}`}>{children}</span>
}
