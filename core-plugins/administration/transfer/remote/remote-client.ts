import { Readable, Transform } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { AppError, asUnavailableReason, isLoopback } from '../../../foundation/http/http.ts'

/** How to reach another environment. */
export interface RemoteOptions {
  /** `https://staging.example.com`; the API is below `/api`, unless the address has a path of its own. */
  readonly url: string
  readonly token: string
  /** Allows sending the token over HTTP to other machines. */
  readonly isHttpAllowed?: boolean
  readonly signal?: AbortSignal
}

export interface RemoteRequest {
  readonly query?: Readonly<Record<string, string | number | readonly string[]>>
  /** Sent as JSON, or unchanged if it consists of bytes. */
  readonly body?: unknown
}

export interface RemoteClient {
  /** The address without its secret parts. */
  readonly name: string
  /**
   * Repeats requests that failed on the way, if that is safe.
   * @throws AppError as the other environment reported it; 502 if it cannot be reached
   */
  json<T>(method: string, path: string, request?: RemoteRequest): Promise<T>
  /** The body of an answer, of which at most `maxBytes` are accepted. @throws AppError likewise */
  bytes(path: string, request: RemoteRequest & { readonly maxBytes: number }): Promise<Readable>
}

const attempts = 4
const firstPauseMs = 500

/** @throws AppError 400 for an address that must not be used */
export function createRemoteClient({ url, token, isHttpAllowed, signal }: RemoteOptions): RemoteClient {
  const base = baseOf(url, isHttpAllowed === true)
  const name = base.host

  async function send(method: string, path: string, { query = {}, body }: RemoteRequest): Promise<Response> {
    const address = new URL(`${base.href}/admin/transfer${path}`)
    for (const [key, value] of Object.entries(query)) {
      for (const each of [value].flat()) address.searchParams.append(key, String(each))
    }
    const isBytes = body instanceof Uint8Array
    return fetch(address, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined
          ? {}
          : { 'content-type': isBytes ? 'application/octet-stream' : 'application/json' }),
      },
      // Following a redirect would send the token to another address.
      redirect: 'manual',
      ...(body === undefined ? {} : { body: isBytes ? body : JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    })
  }

  async function answered(method: string, path: string, request: RemoteRequest): Promise<Response> {
    for (let attempt = 1; ; attempt++) {
      try {
        const response = await send(method, path, request)
        if (response.status >= 300 && response.status < 400) throw leadsElsewhere(name, response)
        const isBusy = response.status === 429 || response.status === 503 || response.status === 502
        if (!isBusy || attempt === attempts) return response
        await response.body?.cancel()
      } catch (error) {
        signal?.throwIfAborted()
        if (error instanceof AppError) throw error
        if (attempt === attempts) throw unreachable(name, error)
      }
      await delay(firstPauseMs * 2 ** attempt, undefined, signal === undefined ? {} : { signal })
    }
  }

  return {
    name,
    async json<T>(method: string, path: string, request: RemoteRequest = {}) {
      const response = await answered(method, path, request)
      const text = await textOf(name, response)
      if (!response.ok) throw errorOf(name, response.status, text)
      const { data } = parse(name, text) as { data?: unknown }
      return data as T
    },
    async bytes(path, { maxBytes, ...request }) {
      const response = await answered('GET', path, request)
      if (!response.ok) throw errorOf(name, response.status, await textOf(name, response))
      return bounded(name, response, maxBytes)
    },
  }
}

/** Larger than any answer: a page of items, one of which may have the largest allowed size. */
const maxAnswerBytes = 128 * 1024 * 1024

async function textOf(name: string, response: Response): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of bounded(name, response, maxAnswerBytes)) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

/** Bounds an answer, since an endless one would fill memory or disk. */
function bounded(name: string, { body }: Response, maxBytes: number): Readable {
  if (body === null) return Readable.from([])
  let left = maxBytes
  const limit = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      left -= chunk.length
      if (left < 0) done(new AppError('BAD_GATEWAY', `${name} sends more than was asked for`))
      else done(null, chunk)
    },
  })
  // The reader may not have begun yet.
  limit.on('error', () => undefined)
  const source = Readable.fromWeb(body)
  source.on('error', (error) => limit.destroy(unreachable(name, error)))
  limit.on('close', () => source.destroy())
  return source.pipe(limit)
}

function baseOf(text: string, isHttpAllowed: boolean): URL {
  const invalid = (message: string) => AppError.invalid([{ path: 'url', code: 'url', message }])
  if (!URL.canParse(text)) throw invalid('is no address; write it whole, such as https://staging.example.com')
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw invalid('must begin with https://')
  if (url.username !== '' || url.password !== '') throw invalid('must not hold credentials')
  const isHere = url.hostname === 'localhost' || isLoopback(url.hostname.replace(/^\[|\]$/g, ''))
  if (url.protocol === 'http:' && !isHere && !isHttpAllowed) {
    throw invalid(
      'would send the token unencrypted; use https://, or --allow-http inside of a network that you trust',
    )
  }
  url.search = ''
  url.hash = ''
  const path = url.pathname.replace(/\/+$/, '')
  url.pathname = path === '' ? '/api' : path
  return url
}

function errorOf(name: string, status: number, text: string): AppError {
  const { error } = parse(name, text) as { error?: Partial<AppError> }
  const { code, message, details, reason } = error ?? {}
  if (code === undefined || message === undefined) {
    return new AppError('BAD_GATEWAY', `${name} answered with status ${status}`)
  }
  return new AppError(code, `${name}: ${message}`, { reason: asUnavailableReason(reason), details })
}

function parse(name: string, text: string): object {
  try {
    const parsed: unknown = JSON.parse(text)
    if (typeof parsed === 'object' && parsed !== null) return parsed
  } catch {
    // As below.
  }
  throw new AppError('BAD_GATEWAY', `${name} does not answer like Mortise; check the address`)
}

function leadsElsewhere(name: string, { headers }: Response): AppError {
  const location = headers.get('location') ?? 'nowhere'
  return new AppError('BAD_GATEWAY', `${name} leads to ${location}: if that is right, give that address`)
}

function unreachable(name: string, error: unknown): AppError {
  const cause = error instanceof Error ? (error.cause ?? error) : error
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new AppError('BAD_GATEWAY', `${name} cannot be reached: ${reason}`, { cause: error })
}
