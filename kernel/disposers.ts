import type { Log } from './log.ts'
import { runWithin } from './time-limit.ts'

/** What is to be undone at the stop, last added first, each within the time that its plugin has. */
export interface Disposers {
  /** Once everything was undone, what is added late is undone at once. */
  add(plugin: string, dispose: () => unknown): void
  /** Never rejects: errors are logged under the plugin's name. */
  undoAll(): Promise<void>
}

/** Makes an empty list of things to undo; `timeoutMsOf` tells how long one of a plugin may take. */
export function createDisposers(log: Log, timeoutMsOf: (plugin: string) => number): Disposers {
  const pending: { plugin: string; dispose: () => unknown }[] = []
  let isUndone = false

  async function undoAll() {
    isUndone = true
    for (let entry = pending.pop(); entry !== undefined; entry = pending.pop()) {
      try {
        const limitMs = timeoutMsOf(entry.plugin)
        await runWithin({ limitMs, message: `took longer than ${limitMs} ms` }, () => entry.dispose())
      } catch (error) {
        log.error({ plugin: entry.plugin, err: error }, `${entry.plugin} failed to stop cleanly`)
      }
    }
  }

  return {
    add(plugin, dispose) {
      pending.push({ plugin, dispose })
      if (isUndone) void undoAll()
    },
    undoAll,
  }
}
