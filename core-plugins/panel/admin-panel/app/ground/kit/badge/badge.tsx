import type { ReactNode } from 'react'
import classes from './badge.module.css'

export interface BadgeProps {
  readonly tone?: 'neutral' | 'info' | 'success' | 'warning' | 'danger'
  readonly children: ReactNode
}

/** A state as a word; its colour adds no information. */
export function Badge({ tone = 'neutral', children }: BadgeProps) {
  return <span className={`${classes.badge} ${classes[tone]}`}>{children}</span>
}
