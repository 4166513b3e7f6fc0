import { OwnersScreen } from './owners-screen.tsx'

/** All components. */
export default function ComponentsScreen() {
  return <OwnersScreen kind="component" />
}
