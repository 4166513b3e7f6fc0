import { OwnerScreen } from './owner-screen.tsx'

/** A content type and its fields. */
export default function TypeScreen() {
  return <OwnerScreen kind="type" />
}
