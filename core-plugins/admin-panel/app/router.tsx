import { lazy } from 'react'
import { Route, Switch } from 'wouter'
import { screens } from './screens.ts'
import { NotFoundPage } from './shell/refusal-pages.tsx'
import { ShownScreen } from './shell/shown-screen.tsx'

const loadable = screens.map((screen) => ({ screen, component: lazy(screen.load) }))

/** The screen of the address. */
export function Screens() {
  return (
    <Switch>
      {loadable.map(({ screen, component }) => (
        <Route key={screen.path} path={screen.path}>
          <ShownScreen screen={screen} component={component} />
        </Route>
      ))}
      <Route>
        <NotFoundPage />
      </Route>
    </Switch>
  )
}
