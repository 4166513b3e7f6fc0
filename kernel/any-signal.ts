/** What a composed signal was made of, for as long as it is there itself. */
const sources = new WeakMap<AbortSignal, readonly AbortSignal[]>()

/**
 * A signal that is aborted with the first of these. On Node.js 20, a signal of `AbortSignal.any` does not keep its sources alive:
 * an otherwise unreferenced `AbortSignal.timeout` is collected and never fires (nodejs/node 57736).
 */
export function anySignal(...signals: readonly (AbortSignal | undefined)[]): AbortSignal {
  const given = signals.filter((signal) => signal !== undefined)
  const [first] = given
  if (first !== undefined && given.length === 1) return first
  const composed = AbortSignal.any(given)
  sources.set(composed, given)
  return composed
}
