import type { Awaitable } from '../content/content.ts'
import type { Engine, EngineParts } from './engine.ts'

/** The engine, loaded when it is asked for first: many services never are, and graphql-js takes memory and time. */
export interface LazyEngine {
  load(): Awaitable<Engine>
  clear(): void
}

export function createLazyEngine(parts: EngineParts): LazyEngine {
  let loaded: Engine | undefined
  let loading: Promise<Engine> | undefined
  const start = async () => {
    const { createEngine } = await import('./engine.ts')
    loaded = createEngine(parts)
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
