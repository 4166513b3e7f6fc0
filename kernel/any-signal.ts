/** What a composed signal was made of, for as long as it is there itself. */
const sources = new WeakMap<AbortSignal, readonly AbortSignal[]>()

/**
 * A signal that is aborted with the first of these. On Node.js 20, that of `AbortSignal.any` alone does not keep the ones that it
 * was made of: one of `AbortSignal.timeout` that nobody else holds is collected and never fires (nodejs/node 57736).
 */
export function anySignal(...signals: readonly (AbortSignal | undefined)[]): AbortSignal {
  const given = signals.filter((signal) => signal !== undefined)
  const [first] = given
  if (first !== undefined && given.length === 1) return first
  const composed = AbortSignal.any(given)
  sources.set(composed, given)
  return composed
}
