import type { Log } from './log.ts'
import { runWithin } from './time-limit.ts'

/** What to undo at the stop, last added first, each within its plugin's time limit. */
export interface Disposers {
  /** After `undoAll`, what is added is undone at once. */
  add(plugin: string, dispose: () => unknown): void
  /** Never rejects: errors are logged under the plugin's name. */
  undoAll(): Promise<void>
}

/** Creates an empty list; `timeoutMsOf` returns how long each disposer of a plugin may take. */
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
