import { Route, Switch } from 'wouter'
import { lazyPart } from '../ground/lazy/lazy-part.ts'
import { screens } from '../screens.ts'
import { NotFoundPage } from './refusal-pages.tsx'
import { ShownScreen } from './shown-screen.tsx'

const loadable = screens.map((screen) => ({ screen, component: lazyPart(screen.load, 'screen') }))

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
