import type { WebSocket, WebSocketBehavior } from 'uWebSockets.js'
import { fullAtBytes, maxWaitingBytes, type SocketChannel, type SocketListener } from './server-port.ts'

/** uWebSockets copies the properties of what it is given, and nothing that they inherit. */
export interface UwsSocketData {
  readonly channel: UwsSocket
}

/** See `SocketChannel`. The socket must not be touched once it has been closed, from either side. */
export class UwsSocket implements SocketChannel {
  private readonly listener: SocketListener
  private socket: WebSocket<UwsSocketData> | undefined

  constructor(listener: SocketListener) {
    this.listener = listener
  }

  get isOpen(): boolean {
    return this.socket !== undefined
  }

  get isFull(): boolean {
    return this.socket !== undefined && this.socket.getBufferedAmount() > fullAtBytes
  }

  send(message: string | Uint8Array) {
    if (this.isTaken()) this.socket?.send(message, false)
  }

  ping() {
    if (this.isTaken()) this.socket?.ping()
  }

  /** uWebSockets would drop the message. */
  private isTaken(): boolean {
    if (this.socket === undefined) return false
    if (this.socket.getBufferedAmount() <= maxWaitingBytes) return true
    this.cut()
    return false
  }

  close(code: number, reason: string) {
    this.socket?.end(code, reason)
  }

  cut() {
    this.socket?.close()
  }

  opened(socket: WebSocket<UwsSocketData>) {
    this.socket = socket
    this.listener.opened(this)
  }

  message(message: ArrayBuffer, isBinary: boolean) {
    if (isBinary) this.close(1003, 'messages are texts')
    else this.listener.message(Buffer.from(message).toString())
  }

  ponged() {
    this.listener.ponged()
  }

  drained() {
    if (!this.isFull) this.listener.drained()
  }

  closed() {
    this.socket = undefined
    this.listener.closed()
  }
}

/**
 * How uWebSockets is to treat them. Pings are sent by whoever listens, so that it knows who is gone. What is left of a
 * socket that has been closed, and whose client takes nothing, is cut after the idle time.
 */
export function socketBehavior(maxMessageBytes: number): Omit<WebSocketBehavior<UwsSocketData>, 'upgrade'> {
  return {
    // uWebSockets cuts the connection of whoever sends more, without a word: so it takes some more, to be refused with a code.
    maxPayloadLength: 2 * maxMessageBytes,
    // Whatever is more is refused before it is sent.
    maxBackpressure: 0,
    idleTimeout: 120,
    sendPingsAutomatically: false,
    open: (socket) => socket.getUserData().channel.opened(socket),
    message: (socket, message, isBinary) => {
      const { channel } = socket.getUserData()
      if (message.byteLength > maxMessageBytes) channel.close(1009, 'the message is too large')
      else channel.message(message, isBinary)
    },
    pong: (socket) => socket.getUserData().channel.ponged(),
    drain: (socket) => socket.getUserData().channel.drained(),
    close: (socket) => socket.getUserData().channel.closed(),
  }
}
