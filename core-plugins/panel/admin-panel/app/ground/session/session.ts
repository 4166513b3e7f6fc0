import type { Account } from '../../../../../../client/client.ts'
import { apiPrefix } from './api-prefix.ts'
import { fetchToken } from './fetch-token.ts'

/** The response of a sign-in and of `GET /admin/auth/token`. */
export interface OpenSession {
  readonly token: string
  /** ISO 8601. */
  readonly expiresAt: string
  readonly user: Account
  readonly mustChangePassword?: boolean
}

/** `ended`: the server has ended the session, and unsaved changes wait until the user signs in again. */
export type SessionState =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'open'; readonly session: OpenSession }
  | { readonly kind: 'ended'; readonly session: OpenSession | undefined }

type TabMessage = { readonly kind: 'signed-out' } | { readonly kind: 'signed-in'; readonly userId: number }

/** Tokens are renewed when they expire in less than this, so that none expires during a request. */
const renewBeforeMs = 60_000

let state: SessionState = { kind: 'unknown' }
let renewal: Promise<void> | undefined
const listeners = new Set<() => void>()
/** Notifies the other tabs of this browser, which share the cookie. */
const tabs = new BroadcastChannel('mortise-session')

tabs.onmessage = ({ data }: MessageEvent<TabMessage>) => {
  if (data.kind === 'signed-out') leave()
  else if (state.kind === 'ended' && state.session?.user.id === data.userId) void renew()
}

/** The session of this tab. The token is kept in memory only: after a reload, a new one is requested with the cookie. */
export const session = {
  state: (): SessionState => state,
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  /** Starts the session from the response of a sign-in. */
  open(opened: OpenSession) {
    set({ kind: 'open', session: opened })
    tabs.postMessage({ kind: 'signed-in', userId: opened.user.id } satisfies TabMessage)
  },
  /** A token to send, renewed if it expires soon; undefined without a session. */
  async token(): Promise<string | undefined> {
    if (state.kind === 'unknown' || endsSoon()) await renew()
    return state.kind === 'open' ? state.session.token : undefined
  },
  /** Resolves once a user is signed in, immediately or after the dialog. */
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
  /** Called when the server has refused the token. */
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

/** Requests a new token once for all waiting requests. */
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

/** The URL of the sign-in page, with the current screen to return to. */
export function signInAddress(): string {
  const here = location.pathname + location.search + location.hash
  return here === '/admin' ? '/admin/sign-in' : `/admin/sign-in?next=${encodeURIComponent(here)}`
}
