import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request as send } from 'node:http'
import { pipeline, type Readable, type Transform } from 'node:stream'
import { text as textOf } from 'node:stream/consumers'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'

/** The default type of answers and entries, because tests read values of any shape. */
// biome-ignore lint/suspicious/noExplicitAny: unknown would make every test narrow what it asserts anyway
export type AnyJson = any

/** A service's response. Write `const { body }: Answer<Body> = …` for a typed body. */
export interface Answer<Body = AnyJson> {
  readonly status: number
  readonly headers: Headers
  /** Parsed if it is JSON, text otherwise. */
  readonly body: Body
}

export interface RequestOptions {
  /** Sent as JSON; strings and bytes are sent unchanged. */
  readonly body?: unknown
  /** For the Authorization header. */
  readonly token?: string
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * Sends requests to a service; paths are complete: `/api/content/article?limit=2`. Any status resolves: a request
 * rejects only if there is no answer. Redirects are not followed.
 */
export interface TestClient {
  request(method: string, path: string, options?: RequestOptions): Promise<Answer>
  get(path: string, options?: RequestOptions): Promise<Answer>
  post(path: string, body?: unknown, options?: RequestOptions): Promise<Answer>
  put(path: string, body?: unknown, options?: RequestOptions): Promise<Answer>
  patch(path: string, body?: unknown, options?: RequestOptions): Promise<Answer>
  delete(path: string, body?: unknown, options?: RequestOptions): Promise<Answer>
}

/** A client that sends `token`, if given, with every request. */
export function createClient(url: string, token?: string): TestClient {
  const request: TestClient['request'] = async (method, path, options = {}) => {
    const body = encode(options.body)
    const headers = headersOf({ ...(token === undefined ? {} : { token }), ...options }, body)
    // Not `fetch`, which needs three times as much processor time: tests send hundreds of thousands of requests. Nor
    // a kept-alive connection, which the service may close just as the next request is sent.
    const sent = send(url + path, { method, headers, agent: false }).end(body)
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    // An answer may arrive, and end the connection, before the whole body has been sent.
    sent.on('error', () => undefined)
    return {
      status: response.statusCode ?? 0,
      headers: headersIn(response),
      body: decode(await textOf(decompressed(response))),
    }
  }
  return {
    request,
    get: (path, options) => request('GET', path, options),
    post: (path, body, options) => request('POST', path, { ...options, body }),
    put: (path, body, options) => request('PUT', path, { ...options, body }),
    patch: (path, body, options) => request('PATCH', path, { ...options, body }),
    delete: (path, body, options) => request('DELETE', path, { ...options, body }),
  }
}

/** A client signed in, as an admin user by default. @throws Error if the service refuses */
export async function signIn(
  url: string,
  identifier: string,
  password: string,
  path = '/api/admin/auth/login',
): Promise<TestClient> {
  const { status, body } = await createClient(url).post(path, { identifier, password })
  if (status !== 200) throw new Error(`${identifier} cannot sign in: ${status} ${JSON.stringify(body)}`)
  return createClient(url, body.data.token)
}

/**
 * Returns the answer.
 * @throws AssertionError with the answer's body, if it has another status
 */
export function expectStatus<Body>(answer: Answer<Body>, status: number): Answer<Body> {
  assert.equal(
    answer.status,
    status,
    `status ${answer.status} instead of ${status}: ${JSON.stringify(answer.body)}`,
  )
  return answer
}

function headersOf({ token, headers }: RequestOptions, body: string | Uint8Array | undefined) {
  return {
    accept: '*/*',
    'user-agent': 'node',
    ...(body === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...headers,
  }
}

function encode(body: unknown): string | Uint8Array | undefined {
  if (body === undefined) return undefined
  return typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body)
}

function headersIn({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers()
  for (let index = 0; index < rawHeaders.length; index += 2)
    headers.append(rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '')
  return headers
}

/** Tests that ask for a compressed answer get the same body. */
function decompressed(response: IncomingMessage): Readable {
  const decompress = decompressors[response.headers['content-encoding'] ?? '']
  // If an answer is cut off, reading it fails.
  return decompress === undefined ? response : pipeline(response, decompress(), () => undefined)
}

const decompressors: Readonly<Record<string, () => Transform>> = {
  br: createBrotliDecompress,
  deflate: createInflate,
  gzip: createGunzip,
}

function decode(text: string): AnyJson {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
