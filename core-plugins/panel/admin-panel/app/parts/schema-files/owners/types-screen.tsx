import { OwnersScreen } from './owners-screen.tsx'

/** All content types. */
export default function TypesScreen() {
  return <OwnersScreen kind="type" />
}
