/** Returns a check that is true for the first time at once, and then at most once in a while: for reports of errors. */
export function atMostEvery(everyMs: number): () => boolean {
  let lastMs = Number.NEGATIVE_INFINITY
  return () => {
    const nowMs = performance.now()
    if (nowMs - lastMs < everyMs) return false
    lastMs = nowMs
    return true
  }
}
