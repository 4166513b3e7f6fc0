import { Suspense, useSyncExternalStore } from 'react'
import { lazyPart } from '../../ground/lazy/lazy-part.ts'
import { session } from '../../ground/session/session.ts'

const SessionEnded = lazyPart(() => import('./session-ended.tsx'))

/** Over the page when the session has ended: what stands there, saved or not, stays. */
export function SignInDialog() {
  const state = useSyncExternalStore(session.subscribe, session.state)
  if (state.kind !== 'ended') return null
  return (
    <Suspense>
      <SessionEnded name={state.session?.user.username ?? ''} userId={state.session?.user.id} />
    </Suspense>
  )
}
