import { setTimeout } from 'node:timers/promises'

/** Long, since it is waited in full only where a test fails, and machines are busy. */
const longestWaitMs = 60_000

/** Asks again and again until the condition holds. @throws Error after a minute, which tells what was waited for */
export async function until(holds: () => boolean | Promise<boolean>, what = String(holds)): Promise<void> {
  const deadlineMs = performance.now() + longestWaitMs
  while (!(await holds())) {
    if (performance.now() > deadlineMs) throw new Error(`waited in vain: ${what}`)
    await setTimeout(10)
  }
}
