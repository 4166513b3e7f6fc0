import type { Agent, buildConnector, Dispatcher } from 'undici'
import { type AddressGuard, RefusedAddressError } from './address-guard.ts'

/** A request to be sent. */
export interface Message {
  readonly body: Buffer
  readonly headers: Readonly<Record<string, string>>
}

/** The result of one attempt. */
export interface Attempt {
  /** Null without a response. */
  readonly statusCode: number | null
  /** Milliseconds until the answer or the failure. */
  readonly responseTimeMs: number
  readonly responseHeaders: Readonly<Record<string, string>> | null
  /** Why the message does not count as delivered; null for a 2xx response. */
  readonly error: string | null
}

export interface SendOptions {
  readonly url: string
  /** POST by default. */
  readonly method?: string
  readonly message: Message
  readonly timeoutMs: number
  /** When aborted, the attempt ends without a result. */
  readonly signal: AbortSignal
}

/** Sends messages over keep-alive connections. */
export interface Sender {
  /**
   * Never rejects because of the receiver.
   * @throws the signal's reason
   */
  send(options: SendOptions): Promise<Attempt>
  close(): Promise<void>
}

/**
 * Limits for reading a response body, in bytes and milliseconds: it is read and discarded so that the connection can
 * be reused.
 */
const maxBodyBytes = 4096
const maxBodyMs = 1000
const maxConnectionsPerHost = 32

/** `guard` checks the addresses of connections. */
export function createSender(guard: AddressGuard): Sender {
  let opened: Promise<Agent> | undefined
  const agent = () => {
    opened ??= openAgent(guard)
    return opened
  }
  return {
    async send(options) {
      const startedAtMs = performance.now()
      const elapsedMs = () => Math.round(performance.now() - startedAtMs)
      const limit = limited(options)
      try {
        const response = await post(await agent(), options, limit.signal)
        const attempt = attemptOf(response, elapsedMs())
        await drop(response)
        return attempt
      } catch (error) {
        options.signal.throwIfAborted()
        const message = limit.isOver() ? `no answer within ${options.timeoutMs} ms` : describe(error)
        return { statusCode: null, responseTimeMs: elapsedMs(), responseHeaders: null, error: message }
      } finally {
        limit.end()
      }
    },
    async close() {
      await (await opened)?.destroy()
    },
  }
}

/** Loaded with the first message, since many services have no webhooks. */
async function openAgent(guard: AddressGuard): Promise<Agent> {
  const undici = await import('undici')
  return new undici.Agent({
    connect: guardedConnector(guard, undici),
    connections: maxConnectionsPerHost,
    pipelining: 1,
    // Attempts have their own, exact time limit.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
}

/** An IP address in the URL is checked here, a name when it is resolved for this connection. */
function guardedConnector(guard: AddressGuard, undici: typeof import('undici')): buildConnector.connector {
  const connect = undici.buildConnector({ lookup: guard.lookup, timeout: 0 } as buildConnector.BuildOptions)
  return (options, callback) => {
    try {
      guard.checkHost(options.hostname)
    } catch (error) {
      callback(error as Error, null)
      return
    }
    connect(options, callback)
  }
}

function post(agent: Agent, { url, method = 'POST', message }: SendOptions, signal: AbortSignal) {
  const { origin, pathname, search } = new URL(url)
  const { body, headers } = message
  // The type only includes the usual methods.
  const verb = method as Dispatcher.HttpMethod
  return agent.request({ origin, path: pathname + search, method: verb, body, headers, signal })
}

function attemptOf({ statusCode, headers }: Dispatcher.ResponseData, responseTimeMs: number): Attempt {
  const responseHeaders = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, String(value ?? '')]),
  )
  return { statusCode, responseTimeMs, responseHeaders, error: refusalOf(statusCode) }
}

function refusalOf(statusCode: number): string | null {
  if (statusCode >= 200 && statusCode < 300) return null
  if (statusCode >= 300 && statusCode < 400) {
    return `the receiver answered ${statusCode}; redirects are not followed: give it the final address`
  }
  return `the receiver answered ${statusCode}`
}

// The answer has been received; errors in its body do not matter.
async function drop({ body }: Dispatcher.ResponseData): Promise<void> {
  await body.dump({ limit: maxBodyBytes, signal: AbortSignal.timeout(maxBodyMs) }).catch(() => undefined)
}

function limited({ timeoutMs, signal }: SendOptions) {
  const controller = new AbortController()
  let isOver = false
  const abort = () => controller.abort(signal.reason)
  const timer = setTimeout(() => {
    isOver = true
    controller.abort()
  }, timeoutMs)
  if (signal.aborted) abort()
  signal.addEventListener('abort', abort, { once: true })
  return {
    signal: controller.signal,
    isOver: () => isOver,
    end() {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
    },
  }
}

/** One sentence for the log: the system's message, without file paths or stack traces. */
function describe(error: unknown): string {
  const cause = error instanceof AggregateError ? error.errors[0] : error
  if (cause instanceof RefusedAddressError) return cause.message
  if (!(cause instanceof Error)) return 'the request failed'
  const code = 'code' in cause ? String(cause.code) : ''
  return (
    reasons[code] ?? `the request failed: ${[code, cause.message].filter((part) => part !== '').join(': ')}`
  )
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused: nothing listens there',
  ECONNRESET: 'the receiver closed the connection',
  UND_ERR_SOCKET: 'the receiver closed the connection without an answer',
  ENOTFOUND: 'there is no host of that name',
  EAI_AGAIN: 'the name of the host could not be looked up',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network of the host cannot be reached',
}
