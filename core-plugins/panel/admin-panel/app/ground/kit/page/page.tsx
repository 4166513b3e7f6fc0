import { type ReactNode, useEffect, useRef } from 'react'
import { Icon } from '../icon/icon.tsx'
import { Link } from '../link/link.tsx'
import { VisuallyHidden } from '../visually-hidden/visually-hidden.tsx'
import classes from './page.module.css'

export interface PageProps {
  /** The heading, and the title of the tab. */
  readonly title: string
  /** Shown beside the title: a badge, a count. */
  readonly aside?: ReactNode
  /** The screen to go back to, such as a list. */
  readonly back?: { readonly to: string; readonly label: string }
  /** Buttons at the right, the most important one last. */
  readonly actions?: ReactNode
  /** `text` for forms and reading, `full` for boards, `fill` for grids that scroll within the page. */
  readonly width?: 'text' | 'full' | 'fill'
  /** For long forms: the header stays visible; on phones, the actions are in a bar at the bottom. */
  readonly hasStickyHeader?: boolean
  readonly children: ReactNode
}

/** The frame of every screen. After navigation, its heading gets the focus, so that screen readers announce the screen. */
export function Page({
  title,
  aside,
  back,
  actions,
  width = 'full',
  hasStickyHeader = false,
  children,
}: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} · ${document.documentElement.dataset.site ?? 'Mortise'}`
  }, [title])
  useEffect(() => {
    heading.current?.focus({ preventScroll: true })
  }, [])
  return (
    <div className={`${classes.page} ${classes[width]}`}>
      <header className={`${classes.header} ${hasStickyHeader ? classes.sticky : ''}`}>
        {back !== undefined && (
          <Link to={back.to} className={classes.back}>
            <Icon name="arrow-left" />
            <VisuallyHidden>{back.label}</VisuallyHidden>
          </Link>
        )}
        <h1 ref={heading} tabIndex={-1} className={classes.title} dir="auto">
          {title}
        </h1>
        {aside}
        {actions !== undefined && <div className={classes.actions}>{actions}</div>}
      </header>
      {children}
    </div>
  )
}
