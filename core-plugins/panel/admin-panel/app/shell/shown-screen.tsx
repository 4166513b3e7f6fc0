import { type ComponentType, Suspense } from 'react'
import { Route, useLocation } from 'wouter'
import { useAccess } from '../ground/access/access.ts'
import { lazyPart } from '../ground/lazy/lazy-part.ts'
import { Boundary } from './boundary.tsx'
import { ScreenPlaceholder } from './missing-notice.tsx'
import { pluginOffAt } from './panel-part.ts'
import { ForbiddenPage, NotFoundPage, PluginOffPage } from './refusal-pages.tsx'
import { isOpenTo, type Screen, type Section } from './screen.ts'

/** One component per screen: a new component would be mounted from scratch. */
const components = new WeakMap<Screen | Section, ComponentType>()

function componentOf(screen: Screen | Section): ComponentType {
  const component = components.get(screen) ?? lazyPart(screen.load, 'screen')
  components.set(screen, component)
  return component
}

/** A route to each of the screens, for a `Switch`. */
export const routesTo = (screens: readonly (Screen | Section)[]) =>
  screens.map((screen) => (
    <Route key={screen.path} path={screen.path}>
      <ShownScreen screen={screen} />
    </Route>
  ))

/** The screen, or the reason why the user cannot open it. */
function ShownScreen({ screen }: { readonly screen: Screen | Section }) {
  const access = useAccess()
  const { permission } = screen
  if (!isOpenTo(screen, access))
    return <ForbiddenPage {...(permission === undefined ? {} : { permission })} />
  const Component = componentOf(screen)
  return (
    <Boundary>
      <Suspense fallback={<ScreenPlaceholder />}>
        <Component />
      </Suspense>
    </Boundary>
  )
}

/** Shown if there is no screen at the URL: says so, or names the plugin that is off. */
export function NoScreen() {
  const [location] = useLocation()
  const plugin = pluginOffAt(location, useAccess())
  return plugin === undefined ? <NotFoundPage /> : <PluginOffPage plugin={plugin} />
}
