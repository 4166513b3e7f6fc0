import type { OpenSession } from './session.ts'

let handedOver: OpenSession | undefined

/** Stores a session for the application about to start in this document. */
export function handOver(session: OpenSession) {
  handedOver = session
}

/** Takes the session stored by the sign-in page; undefined on later calls. */
export function takeHandedOver(): OpenSession | undefined {
  const session = handedOver
  handedOver = undefined
  return session
}
