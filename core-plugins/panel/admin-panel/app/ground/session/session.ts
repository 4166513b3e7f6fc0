import type { Account } from '../../../../../../client/client.ts'
import { apiPrefix } from './api-prefix.ts'
import { fetchToken } from './fetch-token.ts'

/** What a sign-in answers, and `GET /admin/auth/token`. */
export interface OpenSession {
  readonly token: string
  /** ISO 8601. */
  readonly expiresAt: string
  readonly user: Account
  readonly mustChangePassword?: boolean
}

/** `ended`: the server does not know the session any more, and unsaved work waits for signing in again. */
export type SessionState =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'open'; readonly session: OpenSession }
  | { readonly kind: 'ended'; readonly session: OpenSession | undefined }

type TabMessage = { readonly kind: 'signed-out' } | { readonly kind: 'signed-in'; readonly userId: number }

/** A token is renewed when it has less than this left, so that no request is sent with one that ends on its way. */
const renewBeforeMs = 60_000

let state: SessionState = { kind: 'unknown' }
let renewal: Promise<void> | undefined
const listeners = new Set<() => void>()
/** Tells the other tabs of this browser, which share the cookie. */
const tabs = new BroadcastChannel('mortise-session')

tabs.onmessage = ({ data }: MessageEvent<TabMessage>) => {
  if (data.kind === 'signed-out') leave()
  else if (state.kind === 'ended' && state.session?.user.id === data.userId) void renew()
}

/** The session of this tab. The token is in memory only: after a reload, the cookie's holder gets another one. */
export const session = {
  state: (): SessionState => state,
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  /** Takes over what a sign-in has answered. */
  open(opened: OpenSession) {
    set({ kind: 'open', session: opened })
    tabs.postMessage({ kind: 'signed-in', userId: opened.user.id } satisfies TabMessage)
  },
  /** A token to send, renewed if it ends soon; undefined if there is no session. */
  async token(): Promise<string | undefined> {
    if (state.kind === 'unknown' || endsSoon()) await renew()
    return state.kind === 'open' ? state.session.token : undefined
  },
  /** Resolves when somebody is signed in, at once or after the dialog. */
  opened(): Promise<void> {
    if (state.kind === 'open') return Promise.resolve()
    return new Promise((resolve) => {
      const end = session.subscribe(() => {
        if (state.kind !== 'open') return
        end()
        resolve()
      })
    })
  },
  /** The server has refused the token. */
  refused(token: string | undefined) {
    if (state.kind === 'open' && state.session.token === token) set({ kind: 'ended', session: state.session })
  },
  /** Ends the session on the server, here and in all tabs. */
  async signOut() {
    const token = await session.token()
    const headers = { authorization: `Bearer ${token}` }
    await fetch(`${apiPrefix}/admin/auth/logout`, { method: 'POST', headers })
    session.left()
  },
  /** The session has been ended on the server: this tab and all others go to the sign-in page. */
  left() {
    tabs.postMessage({ kind: 'signed-out' } satisfies TabMessage)
    leave()
  },
}

function set(next: SessionState) {
  state = next
  for (const listener of listeners) listener()
}

const endsSoon = () =>
  state.kind === 'open' && Date.parse(state.session.expiresAt) - Date.now() < renewBeforeMs

/** Asks for a token once, however many requests wait for it. */
function renew(): Promise<void> {
  renewal ??= askForToken().finally(() => {
    renewal = undefined
  })
  return renewal
}

async function askForToken() {
  const response = await fetchToken()
  if (response.ok) {
    const { data } = (await response.json()) as { data: OpenSession }
    set({ kind: 'open', session: data })
  } else if (response.status === 401) {
    set({ kind: 'ended', session: state.kind === 'unknown' ? undefined : state.session })
  }
}

function leave() {
  location.assign(signInAddress())
}

/** The sign-in page, which leads back to where somebody is. */
export function signInAddress(): string {
  const here = location.pathname + location.search + location.hash
  return here === '/admin' ? '/admin/sign-in' : `/admin/sign-in?next=${encodeURIComponent(here)}`
}
