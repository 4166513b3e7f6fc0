import { open } from 'node:fs/promises'
import type { ApplyResult } from '../apply-result.ts'
import type { PackageState } from '../packages.ts'
import type { WrittenPackage } from '../plan/side.ts'
import type { RemoteClient } from './remote-client.ts'

const chunkBytes = 8 * 1024 * 1024

/** Sends what has not arrived yet, and has it applied. */
export async function sendPackage(client: RemoteClient, written: WrittenPackage): Promise<ApplyResult> {
  const { id, path, size } = written
  const file = await open(path)
  try {
    let { received, result } = await stateOf(client, id)
    if (result !== null) return result
    while (received < size) {
      const chunk = Buffer.alloc(Math.min(chunkBytes, size - received))
      await file.read(chunk, 0, chunk.length, received)
      received = await sendChunk(client, id, received, chunk)
    }
  } finally {
    await file.close()
  }
  return client.json('POST', `/packages/${id}/apply`)
}

const stateOf = (client: RemoteClient, id: string) => client.json<PackageState>('GET', `/packages/${id}`)

/** A chunk may have arrived although its answer was lost: then the service names another offset. */
async function sendChunk(client: RemoteClient, id: string, offset: number, body: Buffer): Promise<number> {
  try {
    const state = await client.json<PackageState>('PUT', `/packages/${id}`, { query: { offset }, body })
    return state.received
  } catch (error) {
    const { received } = await stateOf(client, id)
    if (received > offset) return received
    throw error
  }
}
