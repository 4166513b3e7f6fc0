import { Suspense, useEffect, useId, useState } from 'react'
import { Icon } from '../../../ground/kit/icon/icon.tsx'
import { Skeleton } from '../../../ground/kit/loading/loading.tsx'
import { Boundary } from '../../../shell/boundary.tsx'
import type { SidePanel } from '../entry-parts.ts'
import classes from './side.module.css'

interface SideSectionProps {
  readonly panel: SidePanel
  readonly isAskedFor: boolean
}

/** A panel under its heading, mounted while it is open. */
export function SideSection({ panel, isAskedFor }: SideSectionProps) {
  const { id, label, icon, component: Content, isOpenAtFirst = false } = panel
  const [isOpen, setOpen] = useState(isOpenAtFirst || isAskedFor)
  const contentId = useId()
  useEffect(() => {
    if (isAskedFor) setOpen(true)
  }, [isAskedFor])
  return (
    <section className={classes.section} data-panel={id}>
      <h2 className={classes.heading}>
        <button
          type="button"
          className={classes.opener}
          aria-expanded={isOpen}
          aria-controls={contentId}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name={icon} />
          {label()}
          <Icon name={isOpen ? 'chevron-up' : 'chevron-down'} className={classes.chevron} />
        </button>
      </h2>
      <div id={contentId} className={classes.content} hidden={!isOpen}>
        {isOpen && (
          <Boundary>
            <Suspense fallback={<Skeleton />}>
              <Content />
            </Suspense>
          </Boundary>
        )}
      </div>
    </section>
  )
}
