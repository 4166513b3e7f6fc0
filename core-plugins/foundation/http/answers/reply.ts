import type { Readable } from 'node:stream'
import { recogniseAcrossCopies } from '../../../../kernel/index.ts'
import type { EventWriter, SocketListener } from '../servers/server-port.ts'
import type { UnavailableReason } from './unavailable-reasons.ts'

/** See docs/http.md: with a total for offset pages, with a cursor for keyset pages. */
export interface Pagination {
  readonly total?: number
  readonly limit: number
  readonly offset?: number
  readonly hasMore: boolean
  readonly nextCursor?: string | null
  /** For the change feed: where a snapshot began, and the path of the next page. */
  readonly since?: string
  readonly next?: string
}

/** A list is sent as one header line per value. */
export type ReplyHeaders = Readonly<Record<string, string | readonly string[]>>

export type ReplyBody =
  /**
   * Sent in the envelope. `version` changes with every write of the data shown; the ETag of the answer begins with it
   * and is strong, so that `If-Match` can be compared with it. `isTagged: false`: without an ETag, for answers where
   * a cache that revalidated by it would go on showing stale data.
   */
  | {
      readonly kind: 'data'
      readonly data: unknown
      readonly pagination?: Pagination
      readonly version?: string
      readonly isTagged?: false
    }
  /** Sent as it is, with the media type. */
  | { readonly kind: 'raw'; readonly body: string | Uint8Array; readonly mediaType: string }
  | { readonly kind: 'stream'; readonly stream: Readable; readonly mediaType: string; readonly size?: number }
  /** Server-sent events, for as long as the writer goes on. */
  | { readonly kind: 'events'; readonly writer: EventWriter }
  /** No answer: the connection goes on as a WebSocket. */
  | { readonly kind: 'socket'; readonly protocol: string; readonly listener: SocketListener }

/** An answer that is more than 200 with data; for that, handlers simply return the data. */
export class Reply {
  readonly status: number
  readonly body: ReplyBody
  readonly headers: ReplyHeaders
  /** The reason of a 503 that does not come from an `AppError`, for the metrics. */
  readonly reason: UnavailableReason | undefined

  constructor(status: number, body: ReplyBody, headers: ReplyHeaders = {}, reason?: UnavailableReason) {
    this.status = status
    this.reason = reason
    this.body = body
    this.headers = headers
  }
}

recogniseAcrossCopies(Reply, 'Reply')

/** 201 with what was created. */
export const created = (data: unknown): Reply => new Reply(201, { kind: 'data', data })

/** 202: the work continues as a job. */
export const accepted = (data: unknown): Reply => new Reply(202, { kind: 'data', data })

/** A page of a list. */
export const page = (data: readonly unknown[], pagination: Pagination): Reply =>
  new Reply(200, { kind: 'data', data, pagination })

/** To another address; 301 and 308 are permanent, 307 and 308 keep the method of the request. */
export const redirect = (
  location: string,
  headers: ReplyHeaders = {},
  status: 301 | 302 | 307 | 308 = 302,
): Reply => new Reply(status, { kind: 'raw', body: '', mediaType: 'text/plain' }, { ...headers, location })

/** A stream of bytes; `size` in bytes if known. */
export const stream = (source: Readable, mediaType: string, size?: number): Reply =>
  new Reply(200, { kind: 'stream', stream: source, mediaType, ...(size === undefined ? {} : { size }) })

/** Server-sent events (`serverSentEvent` makes them), which `writer` writes as things happen. */
export const eventStream = (writer: EventWriter): Reply =>
  // Some proxies hold answers back until they are complete.
  new Reply(200, { kind: 'events', writer }, { 'cache-control': 'no-store', 'x-accel-buffering': 'no' })

/** Switches the connection to a WebSocket with a subprotocol that the client offers; only from `socketRoutes`. */
export const webSocket = (protocol: string, listener: SocketListener): Reply =>
  new Reply(101, { kind: 'socket', protocol, listener })
