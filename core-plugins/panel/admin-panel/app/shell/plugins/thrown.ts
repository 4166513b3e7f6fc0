/** What a plugin has thrown, in words: anything can be thrown, also what cannot be made a text. */
export function messageOf(thrown: unknown): string {
  try {
    return String(thrown instanceof Error ? thrown.message : thrown)
  } catch {
    return typeof thrown
  }
}
