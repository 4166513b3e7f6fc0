import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { freePort } from './free-port.ts'

/** A proxy between a service and a server that simulates network failures. */
export interface TcpProxy {
  readonly port: number
  /** Closes all connections and refuses new ones. */
  cut(): Promise<void>
  /** Keeps all connections open but forwards nothing any more. */
  freeze(): void
  /** Closes all connections; new ones are accepted and closed immediately, as by a proxy whose server is down. */
  slam(): void
  /** Runs `cut` or `freeze` after this many more bytes in either direction. */
  failAfter(bytes: number, how: 'cut' | 'freeze'): void
  /** Restores normal operation. */
  mend(): Promise<void>
  close(): Promise<void>
}

export async function startTcpProxy(targetPort: number): Promise<TcpProxy> {
  const port = await freePort()
  const sockets = new Set<Socket>()
  let state: 'open' | 'frozen' | 'slammed' = 'open'
  let fuse: { bytes: number; readonly burn: () => void } | undefined
  let server: Server

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
      from.on('data', (bytes) => {
        if (state !== 'open') return
        to.write(bytes)
        burnFuse(bytes.length)
      })
      from.on('close', () => to.destroy())
    }
  }

  function burnFuse(bytes: number) {
    if (fuse === undefined) return
    fuse.bytes -= bytes
    if (fuse.bytes > 0) return
    const { burn } = fuse
    fuse = undefined
    burn()
  }

  function freeze() {
    state = 'frozen'
  }

  function endAll() {
    for (const socket of sockets) socket.destroy()
  }

  async function listen() {
    server = createServer(accept).listen(port, '127.0.0.1')
    await once(server, 'listening')
  }

  async function cut() {
    endAll()
    if (!server.listening) return
    server.close()
    await once(server, 'close')
  }

  await listen()
  return {
    port,
    cut,
    freeze,
    failAfter(bytes, how) {
      fuse = { bytes, burn: how === 'cut' ? () => void cut() : freeze }
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
