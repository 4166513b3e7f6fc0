import type { Readable } from 'node:stream'

/** How large the head of a request may be, the path with its query included, in bytes. */
export const maxHeaderBytes = 32_768

/** A client that sends nothing for that long is cut off. */
export const idleTimeoutMs = 10_000

/** How many headers a request may have: uWebSockets.js has room for no more. */
export const maxHeaders = 98

/** Names and values in turns; each pair goes out as one line. */
export type HeaderLines = readonly string[]

/** Takes a body as it comes. */
export interface BodySink {
  /** `bytes` may be kept. */
  chunk(bytes: Buffer): void
  end(): void
}

/**
 * One request and its answer, as an adapter hands it over. Everything of the request may be read for as
 * long as it is not answered, also after an await. After an answer or an abort, sending does nothing.
 */
export interface Exchange {
  /** Upper case. */
  readonly method: string
  /** As sent, without the query: not decoded, not normalised. */
  readonly path: string
  /** As sent, without `?`. */
  readonly rawQuery: string
  /** Of the connection, whatever a proxy says. */
  readonly peerAddress: string
  /** Of method, target and headers, without what stands between them. */
  readonly headBytes: number
  readonly headerCount: number
  /** By its lower-case name; the first one where there are several. */
  header(name: string): string | undefined
  /** All values of a header that was sent several times. */
  headerValues(name: string): readonly string[]
  /** Hands the body over; called at most once. A body that nobody takes is discarded. */
  receive(sink: BodySink): void
  /** Stops the flow of the body, as far as bytes have not been read yet. */
  pause(): void
  resume(): void
  /** Called once if the client goes away before the answer is complete; at once if it has gone already. */
  onAbort(listener: () => void): void
  /** Answers at once. `body` is left out of a HEAD answer, but counted; its memory may be used again after this. */
  send(
    status: number,
    headers: HeaderLines,
    body: string | Uint8Array | undefined,
    options?: SendOptions,
  ): void
  /** Answers with bytes as they come; `size` is in bytes. An error of the source cuts the connection. */
  sendStream(status: number, headers: HeaderLines, source: Readable, size: number | undefined): void
}

export interface SendOptions {
  /** Closes the connection after the answer: what follows on it cannot be trusted or is not wanted. */
  readonly close?: boolean
}

/** Called for every request, inside of the adapter's callback. Must not throw. */
export type ExchangeHandler = (exchange: Exchange) => void

export interface ServerAdapter {
  readonly name: 'hyper-express' | 'node-http'
  /**
   * Resolves with the port when it listens.
   * @throws Error if the address is taken or is not one of this machine
   */
  listen(options: ListenOptions): Promise<number>
  /** Accepts no more connections; those that are open stay. */
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
