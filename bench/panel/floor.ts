import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

const page = readFileSync(join(import.meta.dirname, 'floor.html'))

/** The content of the floor's pages. */
export interface FloorContent {
  readonly rows: readonly object[]
  readonly entry: object
}

/** Serves a plain table at `/rows?count=` and a plain form at `/entry`, each filled by one fetch. */
export async function startFloor({ rows, entry }: FloorContent) {
  const server = createServer(({ url = '/' }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://floor')
    if (!pathname.startsWith('/data/')) {
      response.setHeader('content-type', 'text/html; charset=utf-8')
      return response.end(page)
    }
    const count = Number(searchParams.get('count') ?? rows.length)
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(pathname === '/data/rows' ? rows.slice(0, count) : entry))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
