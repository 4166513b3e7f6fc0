import { useSearchParams } from 'wouter'
import type { SidePanel } from '../entry-parts.ts'
import classes from './side.module.css'
import { SideSection } from './side-section.tsx'

/** The side panels beside the form on wide screens; `SideSheet` is for narrow ones. */
export function SideColumn({ panels }: { readonly panels: readonly SidePanel[] }) {
  const [search] = useSearchParams()
  return (
    <aside className={classes.column}>
      {panels.map((panel) => (
        <SideSection key={panel.id} panel={panel} isAskedFor={search.get('panel') === panel.id} />
      ))}
    </aside>
  )
}
