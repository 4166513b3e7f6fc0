import { setTimeout } from 'node:timers/promises'

/** Long, since only a failing test waits for the full time, and machines may be busy. */
const longestWaitMs = 60_000

/** Polls until the condition holds. @throws Error after a minute, with a description of the condition */
export async function until(holds: () => boolean | Promise<boolean>, what = String(holds)): Promise<void> {
  const deadlineMs = performance.now() + longestWaitMs
  while (!(await holds())) {
    if (performance.now() > deadlineMs) throw new Error(`waited in vain: ${what}`)
    await setTimeout(10)
  }
}
