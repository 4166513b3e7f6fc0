const api = document.documentElement.dataset.api ?? ''

/** The caller as whom operations are sent. */
export type Caller = 'me' | 'nobody'

/** An operation to be sent. */
export interface Outgoing {
  readonly query: string
  readonly variables?: unknown
  readonly operationName?: string | undefined
  readonly caller: Caller
  /** These headers take precedence. */
  readonly headers?: Readonly<Record<string, string>>
}

export interface Answer {
  readonly status: number
  readonly text: string
}

export interface SubscriptionListener {
  readonly signal: AbortSignal
  /** The JSON of an execution result. */
  next(text: string): void
}

/** Less than the lifetime in the service, which is 15 minutes. */
const tokenLifetimeMs = 10 * 60 * 1000

let token: { readonly value: string; readonly since: number } | undefined

/** A token of the session, kept in memory only. @throws Error if the session has ended */
async function ownToken(): Promise<string> {
  if (token === undefined || Date.now() - token.since > tokenLifetimeMs) {
    const response = await fetch(`${api}/admin/auth/token`)
    if (!response.ok) {
      location.assign(`${api}/graphql/sign-in`)
      throw new Error('Sign in first.')
    }
    const { data } = (await response.json()) as { data: { token: string } }
    token = { value: data.token, since: Date.now() }
  }
  return token.value
}

/** Sends a query or mutation, and returns the response of the service. */
export async function execute(outgoing: Outgoing, signal: AbortSignal): Promise<Answer> {
  const response = await post(outgoing, 'application/json', signal)
  return { status: response.status, text: await response.text() }
}

/** Follows a subscription to its end; returns the response if it is refused. */
export async function subscribe(
  outgoing: Outgoing,
  { signal, next }: SubscriptionListener,
): Promise<Answer | undefined> {
  const response = await post(outgoing, 'text/event-stream', signal)
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false
  if (!isStream || response.body === null) return { status: response.status, text: await response.text() }
  let waiting = ''
  for (const reader = response.body.pipeThrough(new TextDecoderStream()).getReader(); ; ) {
    const { done, value } = await reader.read()
    if (done) return undefined
    const events = (waiting + value).split('\n\n')
    waiting = events.pop() ?? ''
    for (const text of events.map(dataIn)) if (text !== '') next(text)
  }
}

const dataIn = (event: string) =>
  event
    .split('\n')
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice('data:'.length).trim())
    .join('\n')

async function post(
  { caller, headers = {}, ...operation }: Outgoing,
  accept: string,
  signal: AbortSignal,
): Promise<Response> {
  const own: Record<string, string> = { accept, 'content-type': 'application/json' }
  if (caller === 'me') own.authorization = `Bearer ${await ownToken()}`
  return fetch(`${api}/graphql`, {
    method: 'POST',
    // Only the visible headers authenticate, not the cookie.
    credentials: 'omit',
    headers: { ...own, ...lowerCased(headers) },
    body: JSON.stringify(operation),
    signal,
  })
}

const lowerCased = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
