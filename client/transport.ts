import { type ErrorDetail, MortiseError } from './mortise-error.ts'

export interface TransportOptions {
  /** The address of the service: `https://cms.example.com`. */
  readonly url: string
  /** Default: `/api`; set it if the service has another one (SVC_API_PREFIX). */
  readonly apiPrefix?: string
  /** An API or session token; a function is called before each request, so that it may renew the token. */
  readonly token?: string | (() => string | undefined | Promise<string | undefined>)
  /** For tests and wrappers; default: the platform's own. */
  readonly fetch?: typeof fetch
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>
}

export interface SendOptions {
  /** Sent as JSON, or unchanged if it is a form. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal | undefined
}

/** A response of the service. */
export interface Sent<Data> {
  readonly data: Data
  readonly pagination: unknown
  readonly headers: Headers
}

/** Sends requests; `path` is below the API prefix: `/content/article`. */
export interface Transport {
  /** The address of the service, without a slash at the end. */
  readonly url: string
  /** The address of a path, for what needs neither a token nor headers; undefined if the client was given either. */
  addressOf(path: string): string | undefined
  /** The response whatever the status. */
  open(method: string, path: string, options?: SendOptions): Promise<Response>
  /** @throws MortiseError unless the request succeeds */
  send<Data>(method: string, path: string, options?: SendOptions): Promise<Sent<Data>>
  /**
   * The parsed body whatever the status, for responses without an envelope. @throws MortiseError unless it is
   * JSON
   */
  sendRaw(method: string, path: string, options?: SendOptions): Promise<{ response: Response; body: unknown }>
}

/** Makes the transport. */
export function createTransport(options: TransportOptions): Transport {
  const { token, headers: always } = options
  const url = options.url.replace(/\/+$/, '')
  const base = url + (options.apiPrefix ?? '/api')
  // Called without a receiver, because browsers reject a `fetch` called as a method of another object.
  const platformFetch: typeof fetch = options.fetch ?? ((input, init) => fetch(input, init))

  async function open(method: string, path: string, { body, headers, signal }: SendOptions = {}) {
    const given = typeof token === 'function' ? await token() : token
    const isForm = body instanceof FormData
    return platformFetch(base + path, {
      method,
      headers: {
        accept: 'application/json',
        ...(given === undefined ? {} : { authorization: `Bearer ${given}` }),
        ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
        ...always,
        ...headers,
      },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
      ...(signal && { signal }),
    })
  }

  async function sendRaw(method: string, path: string, sent?: SendOptions) {
    const response = await open(method, path, sent)
    return { response, body: parse(await response.text(), response) }
  }

  return {
    url,
    addressOf: (path) => ((token ?? always ?? options.fetch) ? undefined : base + path),
    open,
    sendRaw,
    async send<Data>(method: string, path: string, options?: SendOptions) {
      const { response, body } = await sendRaw(method, path, options)
      if (!response.ok) throw toError(response, body)
      const { data, pagination } = body as { data: Data; pagination?: unknown }
      return { data, pagination, headers: response.headers }
    },
  }
}

function parse(text: string, response: Response): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw toError(response, undefined)
  }
}

interface ErrorEnvelope {
  readonly error?: {
    readonly code?: string
    readonly reason?: string
    readonly message?: string
    readonly details?: readonly ErrorDetail[]
    readonly requestId?: string
  }
}

/** The error in a response, or one that describes the response. */
export function toError(response: Response, body: unknown): MortiseError {
  const { error } = (body ?? {}) as ErrorEnvelope
  const { status, headers } = response
  const retryAfter = Number(headers.get('retry-after') ?? Number.NaN)
  return new MortiseError(
    error?.message ?? `${response.url} answered ${status}, but not in the format of this service`,
    {
      code: error?.code ?? 'HTTP_ERROR',
      status,
      reason: error?.reason,
      details: error?.details ?? [],
      requestId: error?.requestId ?? headers.get('x-request-id') ?? undefined,
      retryAfter: Number.isFinite(retryAfter) ? retryAfter : undefined,
    },
  )
}
