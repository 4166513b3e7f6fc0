import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import type { WebSocket } from 'ws'
import { fullAtBytes, maxWaitingBytes, type SocketChannel, type SocketListener } from './server-port.ts'

/** A connection on which a client has asked for a WebSocket. */
export interface Handshake<Request extends IncomingMessage = IncomingMessage> {
  readonly request: Request
  readonly socket: Socket
  /** Bytes that were read after the head of the request. */
  readonly head: Buffer
}

/** The WebSockets of a server: node:http no longer tracks a connection once it has become one. */
export class NodeSockets {
  readonly #maxMessageBytes: number
  readonly #open = new Set<NodeSocket>()

  constructor(maxMessageBytes: number) {
    this.#maxMessageBytes = maxMessageBytes
  }

  /** Switches the connection to a WebSocket. */
  async accept({ request, socket, head }: Handshake, protocol: string, listener: SocketListener) {
    const { WebSocketServer } = await import('ws')
    if (socket.destroyed) return listener.closed()
    const server = new WebSocketServer({
      ...{ noServer: true, clientTracking: false, perMessageDeflate: false },
      maxPayload: this.#maxMessageBytes,
      handleProtocols: () => protocol,
    })
    server.handleUpgrade(request, socket, head, (accepted) => {
      const own = new NodeSocket(accepted, socket, listener)
      this.#open.add(own)
      accepted.once('close', () => this.#open.delete(own))
      listener.opened(own)
    })
  }

  cutAll() {
    for (const socket of this.#open) socket.cut()
  }
}

/** See `SocketChannel`. */
class NodeSocket implements SocketChannel {
  readonly #socket: WebSocket
  readonly #listener: SocketListener
  #isOpen = true

  constructor(accepted: WebSocket, connection: Socket, listener: SocketListener) {
    this.#socket = accepted
    this.#listener = listener
    connection.on('drain', () => {
      if (this.isOpen && !this.isFull) listener.drained()
    })
    accepted.on('message', (data, isBinary) => {
      if (!this.isOpen) return
      if (isBinary) this.close(1003, 'messages are texts')
      else listener.message(data.toString())
    })
    accepted.on('pong', () => this.isOpen && listener.ponged())
    // The library closes the connection itself, and `close` reports that.
    accepted.on('error', () => undefined)
    accepted.once('close', () => this.#closed())
  }

  get isOpen(): boolean {
    return this.#isOpen && this.#socket.readyState === this.#socket.OPEN
  }

  get isFull(): boolean {
    return this.#socket.bufferedAmount > fullAtBytes
  }

  send(message: string | Uint8Array) {
    if (this.#isTaken()) this.#socket.send(message, { binary: false })
  }

  ping() {
    if (this.#isTaken()) this.#socket.ping()
  }

  #isTaken(): boolean {
    if (!this.isOpen) return false
    if (this.#socket.bufferedAmount <= maxWaitingBytes) return true
    this.cut()
    return false
  }

  close(code: number, reason: string) {
    if (!this.isOpen) return
    this.#socket.close(code, reason)
    this.#closed()
  }

  cut() {
    this.#socket.terminate()
    this.#closed()
  }

  #closed() {
    if (!this.#isOpen) return
    this.#isOpen = false
    this.#listener.closed()
  }
}

/**
 * Serves a request again as if it had not asked for another protocol: that is optional, but node:http stops reading
 * after the head of a request that asks for one. HTTP/2 clients do so in requests with bodies.
 */
export function serveAgain(server: Server, { request, socket, head }: Handshake): void {
  const { method, url, httpVersion, rawHeaders } = request
  let text = `${method} ${url} HTTP/${httpVersion}\r\n`
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? ''
    if (name.toLowerCase() !== 'upgrade') text += `${name}: ${rawHeaders[index + 1]}\r\n`
  }
  socket.unshift(Buffer.concat([Buffer.from(`${text}\r\n`, 'latin1'), head]))
  server.emit('connection', socket)
}
