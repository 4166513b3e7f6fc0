import type { Readable } from 'node:stream'

/** Largest head of a request in bytes, including path and query. */
export const maxHeaderBytes = 32_768

/** A client that sends nothing for this long is disconnected. */
export const idleTimeoutMs = 10_000

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
 * One request and its answer, as an adapter hands it over. The request may be read until it is answered, also
 * after an await. After an answer or an abort, sending does nothing.
 */
export interface Exchange {
  /** Upper case. */
  readonly method: string
  /** As sent, without the query: not decoded, not normalised. */
  readonly path: string
  /** As sent, without `?`. */
  readonly rawQuery: string
  /** The peer address of the connection, whatever a proxy says. */
  readonly peerAddress: string
  /** Of method, target and headers, without the separators. */
  readonly headBytes: number
  readonly headerCount: number
  /** By lower-case name; the first value if there are several. */
  header(name: string): string | undefined
  /** All values of a header that was sent more than once. */
  headerValues(name: string): readonly string[]
  /** Delivers the body to `sink`; call at most once. A body that nobody receives is discarded. */
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
   * Answers with everything at once. A HEAD answer omits `body` but states its length; the memory may be
   * reused afterwards.
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
}

/** An answer that stays open. What is written goes to the socket at once, and nothing of it is kept here. */
export interface EventChannel {
  /** False once the answer has ended. */
  readonly isOpen: boolean
  /** True while the client does not keep up. Whatever is written then has to be held in memory. */
  readonly isFull: boolean
  /** `bytes` must not be changed afterwards: they may wait for the socket. Does nothing once it has ended. */
  write(bytes: Uint8Array): void
  /** Ends the answer in good order. */
  end(): void
  /** Cuts the connection, and drops what waits for the socket. */
  cut(): void
}

/** Writes an answer that stays open. Its methods must not throw. */
export interface EventWriter {
  /** First, unless the client has gone already. */
  opened(channel: EventChannel): void
  /** The client keeps up again. */
  drained(): void
  /** Once: the answer has ended, or never begun. */
  closed(): void
}

export interface SendOptions {
  /** Closes the connection after the answer: anything that follows on it is untrusted or unwanted. */
  readonly close?: boolean
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
