import { OwnerScreen } from './owner-screen.tsx'

/** A component and its fields. */
export default function ComponentScreen() {
  return <OwnerScreen kind="component" />
}
