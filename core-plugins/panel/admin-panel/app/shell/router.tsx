import { Route, Switch } from 'wouter'
import { useContributions } from './panel-part.ts'
import { NoScreen, routesTo } from './shown-screen.tsx'

/** Renders the screen at the current URL. */
export function Screens() {
  return (
    <Switch>
      {routesTo(useContributions('screens'))}
      <Route>
        <NoScreen />
      </Route>
    </Switch>
  )
}
