import type { Awaitable } from '../../../../kernel/index.ts'
import type { Executor, ExecutorParts } from './executor.ts'

/** The executor, loaded at the first use: many services never use it, and its libraries take memory and time. */
export interface LazyExecutor {
  load(): Awaitable<Executor>
  clear(): void
}

export function createLazyExecutor(parts: ExecutorParts): LazyExecutor {
  let loaded: Executor | undefined
  let loading: Promise<Executor> | undefined
  const start = async () => {
    const { createExecutor } = await import('./executor.ts')
    loaded = await createExecutor(parts)
    return loaded
  }
  return {
    load() {
      if (loaded !== undefined) return loaded
      loading ??= start().finally(() => {
        loading = undefined
      })
      return loading
    },
    clear: () => loaded?.clear(),
  }
}
