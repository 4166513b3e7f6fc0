import { createServer, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A proxy in front of a store, which keeps back answers to uploads. */
export interface SlowStore {
  readonly url: string
  /** Keeps back the answers to all PUTs from now on. */
  hold(): void
  /** How many answers are kept back: what they are about is stored. */
  readonly held: number
  /** Sends them, and keeps back no more. */
  release(): void
  close(): void
}

export async function startSlowStore(store: string): Promise<SlowStore> {
  const waiting: (() => void)[] = []
  let isHolding = false
  const server = createServer((incoming, outgoing) => {
    const { method, headers, url } = incoming
    const forwarded = send(`${store}${url}`, { method, headers }, (answer) => {
      const pass = () => {
        outgoing.writeHead(answer.statusCode ?? 500, answer.headers)
        answer.pipe(outgoing)
      }
      if (isHolding && method === 'PUT') waiting.push(pass)
      else pass()
    })
    forwarded.on('error', () => outgoing.destroy())
    incoming.pipe(forwarded)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    hold() {
      isHolding = true
    },
    get held() {
      return waiting.length
    },
    release() {
      isHolding = false
      for (const pass of waiting.splice(0)) pass()
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
