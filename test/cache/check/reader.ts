import { Agent, request } from 'undici'

/** An answer as it came. */
export interface RawAnswer {
  readonly status: number
  readonly body: string
  /** What it must have in common with one that is made anew. */
  readonly comparable: string
  readonly isHit: boolean
}

/** A read: a GET, or a GraphQL query in a body. */
export interface Read {
  readonly path: string
  readonly query?: string
}

const agent = new Agent({ connections: 32, headersTimeout: 30_000, bodyTimeout: 30_000 })

/** Asks a process; undefined if no answer comes. */
export async function ask(
  url: string,
  { path, query }: Read,
  token: string | undefined,
): Promise<RawAnswer | undefined> {
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const body = query === undefined ? null : JSON.stringify({ query })
  if (body !== null) headers['content-type'] = 'application/json'
  try {
    const answer = await request(url + path, {
      dispatcher: agent,
      method: body === null ? 'GET' : 'POST',
      headers,
      body,
    })
    const text = await answer.body.text()
    const { statusCode: status } = answer
    const told = ['content-type', 'etag', 'vary', 'cache-control'].map((name) => answer.headers[name])
    return {
      status,
      body: text,
      comparable: [status, ...told, status < 400 ? text : withoutId(text)].join('\n'),
      isHit: String(answer.headers['cache-status']).endsWith('; hit'),
    }
  } catch {
    return undefined
  }
}

const withoutId = (text: string) => text.replace(/"requestId":"[^"]*"/, '')

/** Ends all connections, those to processes that are gone too. */
export const closeConnections = () => agent.destroy()
