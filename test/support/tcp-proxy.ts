import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'

/** Stands between a service and a server, and fails in the ways in which networks do. */
export interface TcpProxy {
  readonly port: number
  /** Ends all connections and refuses new ones. */
  cut(): Promise<void>
  /** Keeps all connections, and passes nothing on any more. */
  freeze(): void
  /** Ends all connections; new ones are accepted and ended at once, as by a proxy whose server is gone. */
  slam(): void
  /** Works again. */
  mend(): Promise<void>
  close(): Promise<void>
}

export async function startTcpProxy(targetPort: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>()
  let state: 'open' | 'frozen' | 'slammed' = 'open'
  let server: Server
  let port = 0

  function keep(socket: Socket) {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
  }

  function accept(incoming: Socket) {
    keep(incoming)
    if (state === 'slammed') {
      incoming.end()
      return
    }
    const outgoing = connect(targetPort, '127.0.0.1')
    keep(outgoing)
    for (const [from, to] of [
      [incoming, outgoing],
      [outgoing, incoming],
    ] as const) {
      from.on('data', (bytes) => state === 'open' && to.write(bytes))
      from.on('close', () => to.destroy())
    }
  }

  function endAll() {
    for (const socket of sockets) socket.destroy()
  }

  async function listen() {
    server = createServer(accept).listen(port, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    if (address !== null && typeof address === 'object') port = address.port
  }

  async function cut() {
    endAll()
    if (!server.listening) return
    server.close()
    await once(server, 'close')
  }

  await listen()
  return {
    get port() {
      return port
    },
    cut,
    freeze() {
      state = 'frozen'
    },
    slam() {
      state = 'slammed'
      endAll()
    },
    async mend() {
      endAll()
      state = 'open'
      if (!server.listening) await listen()
    },
    close: cut,
  }
}
