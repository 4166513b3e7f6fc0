import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { signatureOf } from '../../core-plugins/foundation/outgoing/outgoing.ts'

/** What the double keeps of an answer. */
export interface CachedObject {
  readonly body: string
  readonly etag: string | null
  readonly tags: readonly string[]
  readonly untilMs: number
}

/** A caching proxy in front of a service, purged by tag with signed calls. */
export interface CdnDouble {
  readonly url: string
  /** By path. */
  readonly objects: ReadonlyMap<string, CachedObject>
  /** Answered without the origin. */
  readonly hits: number
  /** Answered by the origin. */
  readonly fetched: number
  readonly purges: readonly { readonly tags: readonly string[]; readonly position: string }[]
  /** Where misses go. */
  origin: string
  /** The next so many purges are refused with 503. */
  refuse(count: number): void
  /** What the origin answers is on its way until `arrive` is called. */
  delay(): { arrive(): void }
  close(): Promise<void>
}

export const secret = 'what the double and the service know'

export async function startCdnDouble(): Promise<CdnDouble> {
  const objects = new Map<string, CachedObject>()
  const purges: { readonly tags: readonly string[]; readonly position: string }[] = []
  let refused = 0
  let way: Promise<void> | undefined

  async function purge(request: IncomingMessage, response: ServerResponse) {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    if (request.headers['x-webhook-signature'] !== signatureOf(body, secret)) {
      return response.writeHead(401).end()
    }
    if (refused > 0) {
      refused -= 1
      return response.writeHead(503).end()
    }
    const order = JSON.parse(body.toString())
    purges.push(order)
    for (const [path, { tags }] of objects) {
      if (tags.some((tag) => order.tags.includes(tag))) objects.delete(path)
    }
    return response.end()
  }

  async function serve(path: string, response: ServerResponse) {
    const known = objects.get(path)
    if (known !== undefined && known.untilMs > Date.now()) {
      double.hits += 1
      return response.end(known.body)
    }
    objects.delete(path)
    const fetched = await fetch(double.origin + path)
    const body = await fetched.text()
    double.fetched += 1
    await way
    const seconds = /max-age=(\d+)/.exec(fetched.headers.get('cdn-cache-control') ?? '')?.[1]
    if (fetched.status === 200 && Number(seconds) > 0) {
      const tags = fetched.headers.get('x-mortise-tags')?.split(',') ?? []
      const untilMs = Date.now() + Number(seconds) * 1_000
      objects.set(path, { body, etag: fetched.headers.get('etag'), tags, untilMs })
    }
    return response.writeHead(fetched.status).end(body)
  }

  const server = createServer((request, response) => {
    const answered = request.method === 'POST' ? purge(request, response) : serve(request.url ?? '', response)
    answered.catch((error) => response.destroy(error))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the double has no port')
  const double = {
    url: `http://127.0.0.1:${address.port}`,
    ...{ objects, purges, hits: 0, fetched: 0, origin: '' },
    refuse(count: number) {
      refused = count
    },
    delay() {
      let arrive = () => {}
      way = new Promise((resolve) => {
        arrive = resolve
      })
      return {
        arrive() {
          way = undefined
          arrive()
        },
      }
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return double
}
