import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'

/** What a receiver was sent. */
export interface Received {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** The bytes as they came. */
  readonly raw: Buffer
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  readonly body: any
  readonly clientPort: number | undefined
}

/** Answers a request; 200 unless told otherwise. */
export type Responder = (received: Received, response: ServerResponse) => void

/** A server that webhooks are delivered to. */
export interface Receiver {
  readonly url: string
  readonly port: number
  readonly received: readonly Received[]
  /** What it does from now on. */
  answers(responder: Responder): void
  /** Resolves when it has been sent so many requests. @throws Error after fifteen seconds */
  gets(count: number): Promise<readonly Received[]>
  close(): Promise<void>
}

export const ok: Responder = (_, response) => response.end('{"ok":true}')

export const withStatus =
  (status: number): Responder =>
  (_, response) =>
    response.writeHead(status).end()

const patienceMs = 15_000

export async function startReceiver(first: Responder = ok): Promise<Receiver> {
  const received: Received[] = []
  const waiting = new Set<() => void>()
  let responder = first
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const raw = Buffer.concat(chunks)
    const { method = '', url: path = '', headers } = request
    const one: Received = {
      ...{ method, path, headers, raw },
      body: raw.length === 0 ? undefined : JSON.parse(raw.toString()),
      clientPort: request.socket.remotePort,
    }
    received.push(one)
    for (const look of waiting) look()
    responder(one, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the receiver has no port')
  const { port } = address
  return {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    received,
    answers(next) {
      responder = next
    },
    gets(count) {
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.delete(look)
          reject(new Error(`waited in vain for ${count} deliveries; ${received.length} came`))
        }, patienceMs)
        const look = () => {
          if (received.length < count) return
          clearTimeout(timer)
          waiting.delete(look)
          resolve(received)
        }
        waiting.add(look)
        look()
      })
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
