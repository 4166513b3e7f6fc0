/** Lower runs earlier; 0 unless told otherwise. Equals keep the order in which they came. */
export interface Ordered {
  readonly order?: number
}

/** A sorted copy, stable among equals. */
export function inOrder<T extends Ordered>(items: Iterable<T>): T[] {
  return [...items].sort((left, right) => (left.order ?? 0) - (right.order ?? 0))
}
