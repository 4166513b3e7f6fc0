import { Route, Switch } from 'wouter'
import { useContributions } from './panel-part.ts'
import { NoScreen, routesTo } from './shown-screen.tsx'

/** The screen of the address. */
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
