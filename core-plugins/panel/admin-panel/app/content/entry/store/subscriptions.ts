import { isWithin, parentOf, type ValuePath } from '../../schema/value-path.ts'

export type Listener = () => void

/** Listeners for changes by path. A change is reported to listeners above, at and below its path. */
export interface Subscriptions {
  add(path: ValuePath, listener: Listener): () => void
  notify(paths: Iterable<ValuePath>): void
}

export function createSubscriptions(): Subscriptions {
  const listeners = new Map<ValuePath, Set<Listener>>()

  function* concernedBy(path: ValuePath): Generator<Listener> {
    for (let above = parentOf(path); above !== ''; above = parentOf(above)) yield* listeners.get(above) ?? []
    for (const [listened, found] of listeners) if (isWithin(listened, path)) yield* found
  }

  return {
    add(path, listener) {
      const found = listeners.get(path) ?? new Set()
      listeners.set(path, found.add(listener))
      return () => {
        found.delete(listener)
        if (found.size === 0) listeners.delete(path)
      }
    },
    notify(paths) {
      const concerned = new Set<Listener>()
      for (const path of paths) for (const listener of concernedBy(path)) concerned.add(listener)
      for (const listener of concerned) listener()
    },
  }
}
