import { type ComponentType, Suspense } from 'react'
import { useAccess } from '../ground/access/access.ts'
import { Boundary } from './boundary.tsx'
import { ScreenPlaceholder } from './missing-notice.tsx'
import { ForbiddenPage, PluginOffPage } from './refusal-pages.tsx'
import { obstacleTo, type Screen, type Section } from './screen.ts'

interface ShownScreenProps {
  readonly screen: Screen | Section
  readonly component: ComponentType
}

/** A screen, or the reason why one cannot open it. */
export function ShownScreen({ screen, component: Component }: ShownScreenProps) {
  const obstacle = obstacleTo(screen, useAccess())
  if (obstacle === 'plugin') return <PluginOffPage plugin={screen.plugin ?? ''} />
  if (obstacle === 'permission') {
    return <ForbiddenPage {...(screen.permission === undefined ? {} : { permission: screen.permission })} />
  }
  return (
    <Boundary>
      <Suspense fallback={<ScreenPlaceholder />}>
        <Component />
      </Suspense>
    </Boundary>
  )
}
