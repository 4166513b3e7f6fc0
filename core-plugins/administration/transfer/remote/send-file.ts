import type { Readable } from 'node:stream'
import type { ItemFile } from '../../../foundation/sections/sections.ts'
import type { RemoteClient } from './remote-client.ts'
import { sendChunk } from './send-chunk.ts'

const chunkBytes = 8 * 1024 * 1024

/** Sends the part of a file that has not arrived, chunk by chunk. */
export async function sendFile(
  client: RemoteClient,
  { hash, size }: ItemFile,
  read: (offset: number) => Promise<Readable>,
): Promise<void> {
  const path = `/files/${hash}`
  let { received } = await client.json<{ readonly received: number }>('GET', path)
  while (received < size) {
    const begun = received
    for await (const chunk of chunksOf(await read(received))) {
      const next = received + chunk.length
      received = await sendChunk(client, path, received, chunk)
      // The answer to a chunk was lost and more has arrived than expected, so reading continues from there.
      if (received !== next) break
    }
    if (received === begun) return
  }
}

async function* chunksOf(source: Readable): AsyncGenerator<Buffer> {
  let parts: Buffer[] = []
  let length = 0
  for await (const part of source) {
    parts.push(part as Buffer)
    length += (part as Buffer).length
    if (length < chunkBytes) continue
    yield Buffer.concat(parts)
    parts = []
    length = 0
  }
  if (length > 0) yield Buffer.concat(parts)
}
