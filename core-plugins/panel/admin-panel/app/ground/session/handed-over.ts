import type { OpenSession } from './session.ts'

let handedOver: OpenSession | undefined

/** Leaves a session for the application that is about to start in this document. */
export function handOver(session: OpenSession) {
  handedOver = session
}

/** The session that the sign-in page has left, once. */
export function takeHandedOver(): OpenSession | undefined {
  const session = handedOver
  handedOver = undefined
  return session
}
