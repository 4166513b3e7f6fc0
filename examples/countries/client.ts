/** An entry as the service answers it. */
export type Entry = { readonly id: number } & Readonly<Record<string, unknown>>

export type Payload = Readonly<Record<string, unknown>>

/** A client of the REST API with just what the import needs. */
export interface Client {
  /** All entries of a type, page by page. */
  list(type: string): Promise<Entry[]>
  create(type: string, payload: Payload): Promise<Entry>
  update(type: string, id: number, payload: Payload): Promise<Entry>
}

export interface ClientOptions {
  /** With the API prefix: `http://localhost:2102/api`. */
  readonly apiUrl: string
  readonly token: string
}

interface Envelope<Data> {
  readonly data: Data
  readonly pagination?: { readonly nextCursor?: string | null }
  readonly error?: { readonly message: string }
}

const pageSize = 100
const mostAttempts = 5

export function createClient({ apiUrl, token }: ClientOptions): Client {
  const send = <Data>(method: string, path: string, body?: Payload) =>
    request<Data>(`${apiUrl}/content/${path}`, method, { authorization: `Bearer ${token}` }, body)

  return {
    async list(type) {
      const entries: Entry[] = []
      let cursor: string | null | undefined = ''
      while (typeof cursor === 'string') {
        const query = new URLSearchParams({ limit: `${pageSize}`, cursor })
        const { data, pagination } = await send<Entry[]>('GET', `${type}?${query}`)
        entries.push(...data)
        cursor = pagination?.nextCursor
      }
      return entries
    },
    create: async (type, payload) => (await send<Entry>('POST', type, payload)).data,
    update: async (type, id, payload) => (await send<Entry>('PUT', `${type}/${id}`, payload)).data,
  }
}

/** Signs in as an admin user; answers the token. */
export async function signIn(apiUrl: string, identifier: string, password: string): Promise<string> {
  const body = { identifier, password }
  const { data } = await request<{ token: string }>(`${apiUrl}/admin/auth/login`, 'POST', {}, body)
  return data.token
}

async function request<Data>(
  url: string,
  method: string,
  headers: Record<string, string>,
  body?: Payload,
): Promise<Envelope<Data>> {
  const init = {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    body: body === undefined ? null : JSON.stringify(body),
  }
  const response = await sendPatiently(url, init)
  const envelope = (await response.json()) as Envelope<Data>
  if (response.ok) return envelope
  throw new Error(`${method} ${url} answered ${response.status}: ${envelope.error?.message}`)
}

/** Waits as long as the service says where it limits the rate of requests. */
async function sendPatiently(url: string, init: RequestInit): Promise<Response> {
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(url, init)
    if (response.status !== 429 || attempt === mostAttempts) return response
    const seconds = Number(response.headers.get('retry-after') ?? 1)
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
  }
}
