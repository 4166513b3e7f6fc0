import { type AskFallback, checkedFallback } from './check-fallback.ts'
import type { Fallback } from './fallback.ts'
import { decodePath, isBelow, isHarmless, reservedPaths } from './paths.ts'

/** The fallbacks for paths without a route. */
export interface CompiledFallbacks {
  /** In the order in which they are called. */
  readonly asked: readonly CompiledFallback[]
  /** Whether fallbacks may answer a path: it has a single spelling and is not reserved. */
  mayAnswer(path: string): boolean
}

export interface CompiledFallback {
  readonly name: string
  readonly methods: readonly string[]
  readonly ask: AskFallback
}

export const noFallbacks: CompiledFallbacks = { asked: [], mayAnswer: () => false }

/** `limitMs` is read at each call. */
export function compileFallbacks(
  fallbacks: readonly Fallback[],
  { apiPrefix, limitMs }: { readonly apiPrefix: string; readonly limitMs: () => number },
): CompiledFallbacks {
  const reserved = reservedPaths(apiPrefix)
  return {
    asked: fallbacks.map((fallback) => ({
      name: fallback.name,
      methods: fallback.methods ?? ['GET'],
      ask: checkedFallback(fallback, limitMs),
    })),
    mayAnswer(path) {
      const withoutSlash = path === '/' ? path : path.replace(/\/$/, '')
      // Also refuses paths that differ from the API prefix only in encoding or case, so that they cannot be
      // mistaken for it.
      return isHarmless(withoutSlash) && !isBelow(decodePath(path).toLowerCase(), reserved)
    },
  }
}
