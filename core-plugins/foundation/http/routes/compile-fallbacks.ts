import { type AskFallback, checkedFallback } from './check-fallback.ts'
import type { Fallback } from './fallback.ts'
import { decodePath, isBelow, isHarmless, reservedPaths } from './paths.ts'

/** What is asked where no route is found. */
export interface CompiledFallbacks {
  /** In the order in which they are asked. */
  readonly asked: readonly CompiledFallback[]
  /** Whether fallbacks may answer a path: one that has a single spelling and is nobody's. */
  mayAnswer(path: string): boolean
}

export interface CompiledFallback {
  readonly name: string
  readonly methods: readonly string[]
  readonly ask: AskFallback
}

export const noFallbacks: CompiledFallbacks = { asked: [], mayAnswer: () => false }

/** `limitMs` is read for each question. */
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
      // Also what differs from the API prefix in its encoding or case: nobody should take one for the other.
      return isHarmless(withoutSlash) && !isBelow(decodePath(path).toLowerCase(), reserved)
    },
  }
}
