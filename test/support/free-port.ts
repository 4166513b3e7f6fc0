import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below those that systems choose by themselves for connections and servers, which would take one that is let go. */
const lowest = 20_000
const highest = 32_000

/** Begins anywhere, so that processes of tests that run together are far from each other. */
let next = randomInt(lowest, highest)

/** A port of 127.0.0.1 that is free, and stays it until somebody asks for this very one. */
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
