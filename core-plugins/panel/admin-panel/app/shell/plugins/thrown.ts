/** The message of a thrown value of any type, including values that cannot be converted to text. */
export function messageOf(thrown: unknown): string {
  try {
    return String(thrown instanceof Error ? thrown.message : thrown)
  } catch {
    return typeof thrown
  }
}
