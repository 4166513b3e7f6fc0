import { eventsIn } from './event-stream.ts'
import type { Transport } from './transport.ts'

/** Something has changed. */
export interface LiveChange {
  /** For `atLeast` of the reads that follow. */
  readonly position: string
  /** Missing: anything may be different. */
  readonly types?: readonly string[]
  /** Which entries, for callers with a token, as far as they may see them and they are not too many. */
  readonly refs?: readonly { readonly type: string; readonly id: number }[]
}

export interface LiveOptions<Name extends string> {
  /** Singular names of content types, and `media`; default: all that the caller may read. */
  readonly types?: readonly (Name | 'media')[]
  /** The position up to which everything is known; default: that of the opening. */
  readonly since?: string
  onChange(change: LiveChange): void
  /** Called for every failure. Most are retried; those that would be repeated (400, 403, 404) end it. */
  onError?(error: unknown): void
}

/** An open stream of changes. */
export interface Live {
  /** The position up to which all events have arrived; undefined before the stream is first open. */
  readonly position: string | undefined
  close(): void
}

/** The part of a browser's lock manager that is used here; other platforms have none. */
interface Locks {
  request(name: string, options: { signal: AbortSignal }, work: () => Promise<void>): Promise<void>
}

type Told = LiveChange & { readonly event: string }
type Tell = (told: Told) => void

const longestPauseMs = 30_000

/** Follows changes, on one stream for all tabs where the browser can share it. */
export function follow(transport: Transport, options: LiveOptions<string>): Live {
  const { types, onChange, onError } = options
  const ending = new AbortController()
  const { signal } = ending
  let position = options.since

  const receive: Tell = ({ event, ...change }) => {
    if (signal.aborted) return
    position = change.position ?? position
    if (event === 'change' || event === 'restart') onChange(change)
  }
  const address = () =>
    `/live?${new URLSearchParams({
      ...(types && { types: types.join() }),
      ...(position && { since: position }),
    })}`
  const isPlain = typeof EventSource === 'function' && transport.addressOf('') !== undefined

  async function run(tell: Tell): Promise<void> {
    for (let failures = 0; !signal.aborted; ) {
      try {
        const hear: Tell = (told) => {
          failures = 0
          tell(told)
        }
        if (isPlain) await listen(transport.addressOf(address()) ?? '', hear, signal)
        else await read(await transport.open('GET', address(), { signal }), hear)
      } catch (error) {
        if (signal.aborted) return
        onError?.(error)
        if ([400, 403, 404].includes((error as { status?: number }).status ?? 0)) return
      }
      // Not all clients at once.
      await pause(Math.min(1000 * 2 ** failures++, longestPauseMs) * (0.5 + Math.random()), signal)
    }
  }

  const { locks } = (globalThis as { navigator?: { locks?: Locks } }).navigator ?? {}
  if (isPlain && locks) void share(`${transport.addressOf('/live')} ${types ?? ''}`, locks)
  else void run(receive)

  /** One tab reads the stream and tells the others; when it is gone, another one goes on. */
  async function share(name: string, among: Locks): Promise<void> {
    const channel = new BroadcastChannel(name)
    channel.onmessage = ({ data }) => receive(data)
    signal.addEventListener('abort', () => channel.close())
    const lead = () =>
      run((told) => {
        receive(told)
        if (!signal.aborted) channel.postMessage(told)
      })
    await among.request(name, { signal }, lead).catch(() => undefined)
  }

  return {
    get position() {
      return position
    },
    close: () => ending.abort(),
  }
}

function listen(url: string, tell: Tell, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const source = new EventSource(url)
    const end = () => {
      source.close()
      resolve()
    }
    signal.addEventListener('abort', end)
    source.onerror = () => {
      source.close()
      signal.removeEventListener('abort', end)
      reject(new Error(`${url} has ended`))
    }
    for (const event of ['ready', 'change', 'restart']) {
      source.addEventListener(event, (message) =>
        tell({ ...JSON.parse((message as Event & { readonly data: string }).data), event }),
      )
    }
  })
}

async function read(response: Response, tell: Tell): Promise<void> {
  for await (const { event, data } of eventsIn(response)) {
    if (data !== '') tell({ ...JSON.parse(data), event })
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
