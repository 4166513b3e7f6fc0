import { useCallback, useSyncExternalStore } from 'react'
import type { ValuePath } from '../schema/value-path.ts'
import { useEntrySession } from './entry-session.ts'

/** One value of the form. */
export interface FieldAccess<Value> {
  /** Undefined if there is no value yet; otherwise of any type that the service has stored, so check it before use. */
  readonly value: Value | null | undefined
  readonly set: (value: Value | null) => void
  /** The problem that the service reported for it. */
  readonly problem: string | undefined
  readonly disabled: boolean
}

/** A field by its path; the component renders again only for changes at, above or below that path. */
export function useField<Value = unknown>(path: ValuePath): FieldAccess<Value> {
  const value = useValue(path) as Value | null | undefined
  return { value, ...useFieldFrame<Value>(path) }
}

/**
 * A field without its value, for components that render its parts separately: a list of blocks does not render on every keystroke
 * inside a block.
 */
export function useFieldFrame<Value = unknown>(path: ValuePath): Omit<FieldAccess<Value>, 'value'> {
  const { store, isReadOnly } = useEntrySession()
  const problem = useSyncExternalStore(
    useCallback((listener) => store.subscribeToProblems(path, listener), [store, path]),
    () => store.problemAt(path),
  )
  const set = useCallback((next: Value | null) => store.change(path, next), [store, path])
  return { set, problem, disabled: isReadOnly }
}

/** A value of the form, read-only. */
function useValue(path: ValuePath): unknown {
  return useSelected(path, same)
}

/**
 * A value derived from a field by `select`; the component renders again only when the derived value changes. `select` must return
 * a primitive, or the same object as long as the field's value is the same.
 */
export function useSelected<Selected>(path: ValuePath, select: (value: unknown) => Selected): Selected {
  const { store } = useEntrySession()
  return useSyncExternalStore(
    useCallback((listener) => store.subscribe(path, listener), [store, path]),
    () => select(store.valueAt(path)),
  )
}

const same = (value: unknown) => value
