import { once } from 'node:events'
import { createServer } from 'node:http'

/** Responds to every delivery immediately, and records when it arrived. */
export interface Receiver {
  readonly url: string
  /** Deliveries so far. */
  count(): number
  untilCount(count: number): Promise<void>
  /** When the delivery about an entry arrived, by `performance.now()`. */
  arrivalOf(entryId: number): number | undefined
  close(): Promise<void>
}

const entryId = /"entry":\{"id":(\d+)/

export async function openReceiver(): Promise<Receiver> {
  const arrivals = new Map<number, number>()
  let count = 0
  let waiting: { count: number; resolve: () => void } | undefined
  const server = createServer((request, response) => {
    let start = ''
    request.on('data', (chunk: Buffer) => {
      if (start === '') start = chunk.toString('latin1', 0, 300)
    })
    request.on('end', () => {
      arrivals.set(Number(entryId.exec(start)?.[1]), performance.now())
      response.end()
      count++
      if (waiting !== undefined && count >= waiting.count) waiting.resolve()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the receiver has no port')
  return {
    url: `http://127.0.0.1:${address.port}/`,
    count: () => count,
    untilCount: (expected) =>
      new Promise((resolve) => {
        if (count >= expected) resolve()
        else waiting = { count: expected, resolve }
      }),
    arrivalOf: (id) => arrivals.get(id),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
