import type { WebSocket, WebSocketBehavior } from 'uWebSockets.js'
import { fullAtBytes, maxWaitingBytes, type SocketChannel, type SocketListener } from './server-port.ts'

/** uWebSockets copies the own properties of the object it is given, and none that it inherits. */
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

  /** Otherwise uWebSockets would drop the message. */
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
 * Settings of uWebSockets for WebSockets. Pings are sent by the listener, so that it learns which clients are gone.
 * If a closed socket's client accepts no more data, the connection is cut after the idle time.
 */
export function socketBehavior(maxMessageBytes: number): Omit<WebSocketBehavior<UwsSocketData>, 'upgrade'> {
  return {
    // uWebSockets cuts the connection of a client that exceeds its limit, without a reason: so its limit is higher
    // than ours, which refuses the message with a code.
    maxPayloadLength: 2 * maxMessageBytes,
    // Messages beyond our own limit are refused before they reach uWebSockets.
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
