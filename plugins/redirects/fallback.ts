import { defineFallback, type Fallback, redirect } from 'mortise/plugin'
import type { Hits } from './hits.ts'
import type { RuleIndex } from './rule-index.ts'
import type { Rule } from './rule-store.ts'

export interface FallbackParts {
  readonly index: RuleIndex
  readonly hits: Hits
  /** In seconds, of permanent redirects. */
  readonly maxAge: () => number
}

/** Answers paths that nobody serves. */
export const redirectFallback = ({ index, hits, maxAge }: FallbackParts): Fallback =>
  defineFallback({
    name: 'redirects:rules',
    methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    redirectsElsewhere: true,
    answer({ method, decodedPath, rawQuery }) {
      const rule = index.find(decodedPath)
      if (rule === undefined) return undefined
      hits.count(rule.id)
      const headers = { 'cache-control': rule.isPermanent ? `max-age=${maxAge()}` : 'no-cache' }
      return redirect(locationOf(rule, rawQuery), headers, statusOf(rule, method === 'GET'))
    },
  })

/** Others than GET keep their method and body only with 307 and 308. */
export function statusOf({ isPermanent }: Rule, isGet: boolean): 301 | 302 | 307 | 308 {
  if (isGet) return isPermanent ? 301 : 302
  return isPermanent ? 308 : 307
}

/** The query of the request goes along, unless the target has one. */
function locationOf({ to, keepsQuery }: Rule, rawQuery: string): string {
  const isPlain = /^[\x21-\x5b\x5d-\x7e]+$/.test(rawQuery)
  if (!keepsQuery || !isPlain || to.includes('?')) return to
  const [path = '', fragment] = to.split('#', 2)
  return `${path}?${rawQuery}${fragment === undefined ? '' : `#${fragment}`}`
}
