import type { Page, Pagination } from './list-query.ts'
import type { SendOptions, Transport } from './transport.ts'

export interface WriteOptions {
  /** The ETag of a read: the write is refused (412) if the entry has changed since. */
  readonly ifMatch?: string
  readonly signal?: AbortSignal
}

export interface PublishOptions extends WriteOptions {
  /** ISO 8601; a future time schedules. */
  readonly publishedAt?: string
  /** ISO 8601: public until then; null: without an end. */
  readonly unpublishAt?: string | null
}

/** Sends a request about entries, and returns the data. */
export async function requestEntry(
  transport: Transport,
  method: string,
  path: string,
  { ifMatch, headers, ...options }: WriteOptions & SendOptions = {},
): Promise<unknown> {
  const all = { ...headers, ...(ifMatch !== undefined && { 'if-match': ifMatch }) }
  return (await transport.send(method, path, { ...options, headers: all })).data
}

/** Reads a list with its pagination. */
export async function requestPage<Data>(
  transport: Transport,
  path: string,
  options?: SendOptions,
): Promise<Page<Data>> {
  const { data, pagination } = await transport.send<Data[]>('GET', path, options)
  return { data, pagination: pagination as Pagination }
}

/** Reads something with its ETag. */
export async function requestVersion<Data>(
  transport: Transport,
  path: string,
  options?: SendOptions,
): Promise<{ readonly data: Data; readonly etag: string }> {
  const { data, headers } = await transport.send<Data>('GET', path, options)
  return { data, etag: headers.get('etag') ?? '' }
}

/** Publishes the entry at a path. */
export function requestPublication(
  transport: Transport,
  path: string,
  { publishedAt, unpublishAt, ...options }: PublishOptions = {},
): Promise<unknown> {
  return requestEntry(transport, 'PUT', `${path}/publish`, { ...options, body: { publishedAt, unpublishAt } })
}

/** The options of a query that are not part of the address. */
export function readOptions({ signal, atLeast }: Awaiting): SentOptions {
  return {
    ...(signal !== undefined && { signal }),
    ...(atLeast !== undefined && { headers: { 'mortise-at-least': atLeast } }),
  }
}

interface SentOptions {
  readonly signal?: AbortSignal
  readonly headers?: Readonly<Record<string, string>>
}

/** How a read is carried out. */
interface Awaiting {
  readonly signal?: AbortSignal
  readonly atLeast?: string
}
