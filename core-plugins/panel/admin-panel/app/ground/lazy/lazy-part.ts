import { type ComponentType, type LazyExoticComponent, lazy } from 'react'
import { loadPersistently, type PartKind } from './missing-parts.ts'

/**
 * A component whose code is loaded on first render. If loading fails, its placeholder stays and the page offers to retry: nothing
 * around it is lost.
 */
export function lazyPart<
  // biome-ignore lint/suspicious/noExplicitAny: as React's `lazy` has it, since props differ
  Part extends ComponentType<any>,
>(load: () => Promise<{ readonly default: Part }>, kind: PartKind = 'part'): LazyExoticComponent<Part> {
  return lazy(() => loadPersistently(load, kind))
}
