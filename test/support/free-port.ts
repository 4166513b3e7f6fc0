import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below the ephemeral ports of operating systems, which could be taken after they are released. */
const lowest = 20_000
const highest = 32_000

/** Starts at a random port, so that concurrent test processes do not collide. */
let next = randomInt(lowest, highest)

/** A free port on 127.0.0.1 that no other process picks unless it asks for this number. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = next
    next = next === highest ? lowest : next + 1
    if (await isFree(port)) return port
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    return false
  }
  server.close()
  await once(server, 'close')
  return true
}
