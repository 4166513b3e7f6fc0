import { open } from 'node:fs/promises'
import type { ApplyResult } from '../apply-result.ts'
import type { PackageState } from '../packages.ts'
import type { WrittenPackage } from '../plan/side.ts'
import type { RemoteClient } from './remote-client.ts'
import { sendChunk } from './send-chunk.ts'

const chunkBytes = 8 * 1024 * 1024

/** Sends the part of a package that has not arrived, and applies the package. */
export async function sendPackage(client: RemoteClient, written: WrittenPackage): Promise<ApplyResult> {
  const { id, path, size } = written
  const remotePath = `/packages/${id}`
  const file = await open(path)
  try {
    let { received, result } = await client.json<PackageState>('GET', remotePath)
    if (result !== null) return result
    while (received < size) {
      const chunk = Buffer.alloc(Math.min(chunkBytes, size - received))
      await file.read(chunk, 0, chunk.length, received)
      received = await sendChunk(client, remotePath, received, chunk)
    }
  } finally {
    await file.close()
  }
  return applied(client, remotePath)
}

/** Repeats the request until the package is applied, since large ones take longer than a response may. */
async function applied(client: RemoteClient, path: string): Promise<ApplyResult> {
  for (;;) {
    const { result } = await client.json<PackageState>('POST', `${path}/apply`)
    if (result !== null) return result
  }
}
