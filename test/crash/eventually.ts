import { setTimeout as delay } from 'node:timers/promises'

const patienceMs = 30_000

/** Looks again and again until `look` does not throw any more. @throws what it threw last, after half a minute */
export async function eventually<T>(look: () => T | Promise<T>): Promise<T> {
  const deadline = performance.now() + patienceMs
  for (;;) {
    try {
      return await look()
    } catch (error) {
      if (performance.now() > deadline) throw error
      await delay(25)
    }
  }
}
