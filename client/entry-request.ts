import type { Transport } from './transport.ts'

export interface WriteOptions {
  /** The ETag of a read: the write is refused (412) if the entry has changed since. */
  readonly ifMatch?: string
  readonly signal?: AbortSignal
}

export interface PublishOptions extends WriteOptions {
  /** ISO 8601; a future time schedules. */
  readonly publishedAt?: string
}

/** Sends a request about entries, and returns the data. */
export async function requestEntry(
  transport: Transport,
  method: string,
  path: string,
  { body, ifMatch, signal }: WriteOptions & { readonly body?: unknown } = {},
): Promise<unknown> {
  const headers: Record<string, string> = ifMatch === undefined ? {} : { 'if-match': ifMatch }
  return (await transport.send(method, path, { body, signal, headers })).data
}

/** Publishes the entry at a path. */
export function requestPublication(
  transport: Transport,
  path: string,
  { publishedAt, ...options }: PublishOptions = {},
): Promise<unknown> {
  const body = publishedAt === undefined ? {} : { body: { publishedAt } }
  return requestEntry(transport, 'PUT', `${path}/publish`, { ...options, ...body })
}

/** The signal of a query, which is not part of the address. */
export function signalOf({ signal }: { readonly signal?: AbortSignal }): { readonly signal?: AbortSignal } {
  return signal === undefined ? {} : { signal }
}
