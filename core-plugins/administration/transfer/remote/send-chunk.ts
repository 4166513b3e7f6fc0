import type { RemoteClient } from './remote-client.ts'

interface Received {
  readonly received: number
}

/**
 * Sends bytes for an offset; returns where to go on. A chunk may have arrived although its answer was lost: then the
 * service names another offset.
 */
export async function sendChunk(
  client: RemoteClient,
  path: string,
  offset: number,
  body: Buffer,
): Promise<number> {
  try {
    return (await client.json<Received>('PUT', path, { query: { offset }, body })).received
  } catch (error) {
    const { received } = await client.json<Received>('GET', path)
    if (received > offset) return received
    throw error
  }
}
