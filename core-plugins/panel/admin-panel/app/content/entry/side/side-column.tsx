import { useSearchParams } from 'wouter'
import type { SidePanel } from '../entry-parts.ts'
import classes from './side.module.css'
import { SideSection } from './side-section.tsx'

/** The panels beside the form, where there is room; see `SideSheet` for where there is not. */
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
