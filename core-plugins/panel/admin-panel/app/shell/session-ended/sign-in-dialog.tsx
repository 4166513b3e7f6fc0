import { Suspense, useSyncExternalStore } from 'react'
import { lazyPart } from '../../ground/lazy/lazy-part.ts'
import { session } from '../../ground/session/session.ts'

const SessionEnded = lazyPart(() => import('./session-ended.tsx'))

/** The sign-in dialog over the page after the session has ended: the page with its unsaved changes stays. */
export function SignInDialog() {
  const state = useSyncExternalStore(session.subscribe, session.state)
  if (state.kind !== 'ended') return null
  return (
    <Suspense>
      <SessionEnded name={state.session?.user.username ?? ''} userId={state.session?.user.id} />
    </Suspense>
  )
}
