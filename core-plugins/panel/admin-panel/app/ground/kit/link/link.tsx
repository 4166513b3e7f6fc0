import type { ReactNode } from 'react'
import { Link as RouterLink } from 'wouter'
import { prefetchScreen } from './prefetch.ts'

export interface LinkProps {
  /** A path of the panel without `/admin`: `/content/article`. */
  readonly to: string
  readonly className?: string | undefined
  readonly isCurrent?: boolean
  readonly children: ReactNode
  readonly onClick?: () => void
}

/** A link to another screen; its code is prefetched when the pointer is over the link. */
export function Link({ to, className, isCurrent = false, children, onClick }: LinkProps) {
  return (
    <RouterLink
      to={to}
      className={className}
      {...(onClick === undefined ? {} : { onClick })}
      {...(isCurrent ? { 'aria-current': 'page' as const } : {})}
      onPointerEnter={() => prefetchScreen(to)}
      onFocus={() => prefetchScreen(to)}
    >
      {children}
    </RouterLink>
  )
}
