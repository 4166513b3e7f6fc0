import type { ReactNode } from 'react'
import buttonClasses from '../button/button.module.css'
import { Icon } from '../icon/icon.tsx'
import { Link } from './link.tsx'

export interface ButtonLinkProps {
  readonly to: string
  readonly look?: 'primary' | 'secondary'
  readonly icon?: string
  readonly children: ReactNode
}

/** A link to another screen that looks like a button. */
export function ButtonLink({ to, look = 'secondary', icon, children }: ButtonLinkProps) {
  return (
    <Link to={to} className={`${buttonClasses.button} ${buttonClasses[look]} ${buttonClasses.link}`}>
      {icon !== undefined && <Icon name={icon} />}
      <span className={buttonClasses.label}>{children}</span>
    </Link>
  )
}
