import { type ComponentType, type LazyExoticComponent, lazy } from 'react'
import { loadPersistently, type PartKind } from './missing-parts.ts'

/**
 * A component whose code is fetched when it is drawn first. If it cannot be, the place stays as it is while it waits,
 * and the page offers to try again: nothing around it is lost.
 */
export function lazyPart<
  // biome-ignore lint/suspicious/noExplicitAny: as React's `lazy` has it, since props differ
  Part extends ComponentType<any>,
>(load: () => Promise<{ readonly default: Part }>, kind: PartKind = 'part'): LazyExoticComponent<Part> {
  return lazy(() => loadPersistently(load, kind))
}
