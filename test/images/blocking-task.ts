/** Keeps its thread until it is cancelled. */
export default function block(): Promise<never> {
  return new Promise(() => setInterval(() => undefined, 1_000))
}
