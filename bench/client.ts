import type { LoadTarget } from './load.ts'

/** The response format of both servers. */
export interface Envelope<T> {
  readonly success: boolean
  readonly data: T
  readonly pagination?: {
    readonly total?: number
    readonly hasMore: boolean
    readonly nextCursor?: string | null
  }
}

interface CallOptions {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly body?: unknown
}

/** Sends a request. @throws Error with the response unless it is a success */
export async function call<T>(
  target: LoadTarget,
  path: string,
  { method = 'GET', body }: CallOptions = {},
): Promise<Envelope<T>> {
  const response = await fetch(`${target.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${target.token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`)
  return JSON.parse(text) as Envelope<T>
}

/** Runs work for every item, `width` at a time, and returns the results in the order of the items. */
export async function mapConcurrently<T, R>(
  items: readonly T[],
  width: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  const pending = items.entries()
  const worker = async (): Promise<void> => {
    for (const [index, item] of pending) results[index] = await work(item)
  }
  await Promise.all(Array.from({ length: width }, worker))
  return results
}
