import type { RemoteClient } from './remote-client.ts'

interface Received {
  readonly received: number
}

/**
 * Sends bytes for an offset and returns the offset to continue at. If a chunk arrived but its answer was lost, the
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
