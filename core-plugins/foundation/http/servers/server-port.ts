import type { Readable } from 'node:stream'
import type { InFlight } from './in-flight.ts'

/** Largest head of a request in bytes, including path and query. */
export const maxHeaderBytes = 32_768

/** A client that sends nothing for this long, in the middle of a request, is disconnected. */
export const stallTimeoutMs = 10_000

/** Most headers that a request may have: the limit of uWebSockets.js. */
export const maxHeaders = 98

/** Names and values alternate; each pair is sent as one line. */
export type HeaderLines = readonly string[]

/** Receives a body as it arrives. */
export interface BodySink {
  /** `bytes` may be kept. */
  chunk(bytes: Buffer): void
  end(): void
}

/**
 * One request and its answer, as an adapter hands it over. The request may be read until it is answered, also after
 * an await. After an answer or an abort, the sending methods do nothing.
 */
export interface Exchange {
  /** Upper case. */
  readonly method: string
  /** As sent, without the query: not decoded, not normalised. */
  readonly path: string
  /** As sent, without `?`. */
  readonly rawQuery: string
  /** The peer address of the connection, not the one that a proxy reports. */
  readonly peerAddress: string
  /** Size of method, target and headers in bytes, without the separators. */
  readonly headBytes: number
  readonly headerCount: number
  /** By lower-case name; all lines of the field as one list, in their order. */
  header(name: string): string | undefined
  /** The lower-case names of the fields that were sent in several lines. */
  readonly repeatedHeaders: readonly string[]
  /** Delivers the body to `sink`; call at most once. If it is not called, the body is discarded. */
  receive(sink: BodySink): void
  /** Pauses the body, except for bytes already read. */
  pause(): void
  resume(): void
  /**
   * Calls the listener once if the client disconnects before the answer is complete; at once if it already
   * has.
   */
  onAbort(listener: () => void): void
  /**
   * Sends the whole answer at once. A HEAD answer omits `body` but states its length; unless `isLasting`, the memory
   * may be reused after the call. The rest of the request is read and dropped for a while (`discard-limits.ts`), so
   * that the client gets to read the answer.
   */
  send(
    status: number,
    headers: HeaderLines,
    body: string | Uint8Array | undefined,
    options?: SendOptions,
  ): void
  /** Streams the answer; `size` is in bytes. An error of the source cuts the connection. */
  sendStream(status: number, headers: HeaderLines, source: Readable, size: number | undefined): void
  /** Begins an answer (200) that stays open, which `writer` then writes as things happen. Not for HEAD. */
  openEvents(headers: HeaderLines, writer: EventWriter): void
  /** Whether the client asks to switch this connection to a WebSocket. */
  readonly asksForSocket: boolean
  /** Switches to a WebSocket (101) with the subprotocol. Only if `asksForSocket`. */
  openSocket(protocol: string, listener: SocketListener): void
}

/**
 * An answer that stays open. Chunks written go to the socket at once and are not kept here. The head is sent together
 * with the first chunk: buffering proxies pass on data that arrives in one piece.
 */
export interface EventChannel {
  /** False once the answer has ended. */
  readonly isOpen: boolean
  /** True while the client does not keep up; anything written meanwhile has to be held in memory. */
  readonly isFull: boolean
  /** `bytes` must not be changed afterwards: they may wait for the socket. Does nothing once it has ended. */
  write(bytes: Uint8Array): void
  /** Ends the answer properly. */
  end(): void
  /** Cuts the connection and drops unsent data. */
  cut(): void
}

/** Writes an answer that stays open. Its methods must not throw. */
export interface EventWriter {
  /** Called first, unless the client is already gone. */
  opened(channel: EventChannel): void
  /** The client has caught up after `isFull`. */
  drained(): void
  /** Called once: the answer has ended, or never began. */
  closed(): void
}

/** A WebSocket. Messages go to the socket at once; those that it does not accept yet wait in memory. */
export interface SocketChannel {
  /** False once either side has closed it. */
  readonly isOpen: boolean
  /** True while the client does not keep up; anything sent meanwhile has to be held in memory. */
  readonly isFull: boolean
  /** Sends a text message, as UTF-8. Cuts the connection of a client for which too much is waiting already. */
  send(message: string | Uint8Array): void
  ping(): void
  /** Closes it properly; `reason` has at most 123 bytes. */
  close(code: number, reason: string): void
  /** Cuts the connection and drops unsent data. */
  cut(): void
}

/** Communicates with the client of a WebSocket. Its methods must not throw. */
export interface SocketListener {
  /** Called first, unless the client is already gone. */
  opened(channel: SocketChannel): void
  message(text: string): void
  /** The client has answered a ping. */
  ponged(): void
  /** The client has caught up after `isFull`. */
  drained(): void
  /** Called once: either side has closed the socket, or it was never opened. */
  closed(): void
}

export interface SendOptions {
  /** Closes the connection after the answer: anything that follows on it is untrusted or unwanted. */
  readonly close?: boolean
  /** The memory of the body is not reused afterwards, so it need not be copied. */
  readonly isLasting?: boolean
}

/** From this many bytes that its client has not accepted yet, a WebSocket counts as full. */
export const fullAtBytes = 64 * 1024

/** If more than this many bytes wait for a WebSocket client, the next message disconnects it. */
export const maxWaitingBytes = 1024 * 1024

export interface AdapterOptions {
  readonly inFlight: InFlight
  /** The longest message that a WebSocket client may send, in bytes; a longer one closes the connection. */
  readonly maxMessageBytes: number
  /**
   * How long a connection stays open between two requests, in milliseconds; the native server has its own timeout.
   */
  readonly idleTimeoutMs: number
}

/** Called for every request, inside the adapter's callback. Must not throw. */
export type ExchangeHandler = (exchange: Exchange) => void

export interface ServerAdapter {
  readonly name: 'hyper-express' | 'node-http'
  /**
   * Resolves with the port once listening.
   * @throws Error if the address is taken or does not belong to this machine
   */
  listen(options: ListenOptions): Promise<number>
  /** Accepts no new connections; open ones stay. */
  stopListening(): void
  /** Cuts every connection. */
  close(): void
}

export interface ListenOptions {
  readonly host: string
  readonly port: number
  /** True in a worker: other processes listen on the same port. */
  readonly isShared: boolean
}
