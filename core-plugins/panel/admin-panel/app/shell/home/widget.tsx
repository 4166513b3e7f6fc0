import { type ComponentType, type ReactNode, useId } from 'react'
import type { Access } from '../../ground/access/access.ts'
import { Icon } from '../../ground/kit/icon/icon.tsx'
import { Boundary } from '../boundary.tsx'
import classes from './home.module.css'

/** A tile of the home page that a plugin contributes. */
export interface HomeTile {
  readonly id: string
  /** Whether to show the tile; by default to every user. */
  readonly mayShow?: (access: Access) => boolean
  /** Must render a `<Widget>`. */
  readonly component: ComponentType
}

/** A tile of the home page. An error in one leaves the others intact. */
export function Widget({
  title,
  icon,
  isWide = false,
  children,
}: {
  readonly title: string
  readonly icon: string
  /** Whether it is twice as wide. */
  readonly isWide?: boolean
  readonly children: ReactNode
}) {
  const id = useId()
  return (
    <section className={`${classes.widget} ${isWide ? classes.twoWide : ''}`} aria-labelledby={id}>
      <h2 id={id} className={classes.heading}>
        <Icon name={icon} />
        {title}
      </h2>
      <Boundary>{children}</Boundary>
    </section>
  )
}
