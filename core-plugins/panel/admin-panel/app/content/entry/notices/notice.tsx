import type { ReactNode } from 'react'
import { Icon } from '../../../ground/kit/icon/icon.tsx'
import classes from './notices.module.css'

export interface NoticeProps {
  readonly tone: 'info' | 'warning' | 'danger'
  readonly children: ReactNode
  readonly action?: ReactNode
}

const icons = { info: 'info', warning: 'triangle-alert', danger: 'circle-alert' }

/** A message about the whole form, shown above it and announced by screen readers. */
export function Notice({ tone, children, action }: NoticeProps) {
  return (
    <div role={tone === 'danger' ? 'alert' : 'status'} className={`${classes.notice} ${classes[tone]}`}>
      <Icon name={icons[tone]} />
      <div className={classes.text}>{children}</div>
      {action !== undefined && <div className={classes.actions}>{action}</div>}
    </div>
  )
}
