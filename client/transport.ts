import { type ErrorDetail, MortiseError } from './mortise-error.ts'

export interface TransportOptions {
  /** Of the service: `https://cms.example.com`. */
  readonly url: string
  /** `/api` unless the service has another one (SVC_API_PREFIX). */
  readonly apiPrefix?: string
  /** An API token or a session's; a function is asked before each request, so that it may renew one. */
  readonly token?: string | (() => string | undefined | Promise<string | undefined>)
  /** For tests and wrappers; the platform's own unless told otherwise. */
  readonly fetch?: typeof fetch
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>
}

export interface SendOptions {
  /** Sent as JSON, or as it is where it is a form. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal | undefined
}

/** An answer of the service. */
export interface Sent<Data> {
  readonly data: Data
  readonly pagination: unknown
  readonly headers: Headers
}

/** Sends requests; `path` is below the API prefix: `/content/article`. */
export interface Transport {
  /** @throws MortiseError for anything but a success */
  send<Data>(method: string, path: string, options?: SendOptions): Promise<Sent<Data>>
  /** The parsed body whatever the status is, for what is not in an envelope. @throws MortiseError unless it is JSON */
  sendRaw(method: string, path: string, options?: SendOptions): Promise<{ response: Response; body: unknown }>
}

/** Makes the transport. */
export function createTransport(options: TransportOptions): Transport {
  const { token, headers: always = {} } = options
  const base = options.url.replace(/\/+$/, '') + (options.apiPrefix ?? '/api')
  // Called without a receiver: browsers refuse a `fetch` that is the method of something else.
  const platformFetch: typeof fetch = options.fetch ?? ((input, init) => fetch(input, init))

  async function sendRaw(method: string, path: string, { body, headers, signal }: SendOptions = {}) {
    const given = typeof token === 'function' ? await token() : token
    const isForm = body instanceof FormData
    const response = await platformFetch(base + path, {
      method,
      headers: {
        accept: 'application/json',
        ...(given === undefined ? {} : { authorization: `Bearer ${given}` }),
        ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
        ...always,
        ...headers,
      },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    })
    return { response, body: parse(await response.text(), response) }
  }

  return {
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
    readonly message?: string
    readonly details?: readonly ErrorDetail[]
    readonly requestId?: string
  }
}

/** The error that an answer tells, or one that tells what the answer was. */
export function toError(response: Response, body: unknown): MortiseError {
  const { error } = (body ?? {}) as ErrorEnvelope
  const { status, headers } = response
  const retryAfter = Number(headers.get('retry-after') ?? Number.NaN)
  return new MortiseError(
    error?.message ?? `${response.url} answered ${status}, and not as this service does`,
    {
      code: error?.code ?? 'HTTP_ERROR',
      status,
      details: error?.details ?? [],
      requestId: error?.requestId ?? headers.get('x-request-id') ?? undefined,
      retryAfter: Number.isFinite(retryAfter) ? retryAfter : undefined,
    },
  )
}
