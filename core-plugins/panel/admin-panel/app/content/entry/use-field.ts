import { useCallback, useSyncExternalStore } from 'react'
import type { ValuePath } from '../schema/value-path.ts'
import { useEntrySession } from './entry-session.ts'

/** One value of the form. */
export interface FieldAccess<Value> {
  /** Undefined where there is none yet; whatever the service holds otherwise, so check before relying on its type. */
  readonly value: Value | null | undefined
  readonly set: (value: Value | null) => void
  /** What the service has said about it. */
  readonly problem: string | undefined
  readonly disabled: boolean
}

/** A field by its path; the component is drawn anew by changes at, above and below that path only. */
export function useField<Value = unknown>(path: ValuePath): FieldAccess<Value> {
  const value = useValue(path) as Value | null | undefined
  return { value, ...useFieldFrame<Value>(path) }
}

/**
 * A field without its value, for what shows the parts of it one by one: a list of blocks is not drawn anew by every key
 * that is pressed in one of them.
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

/** A value of the form, to read. */
function useValue(path: ValuePath): unknown {
  return useSelected(path, same)
}

/**
 * Something about a value: the component is drawn anew only if that changes. `select` answers a text, number or boolean,
 * or an object that is the same as long as the value is.
 */
export function useSelected<Selected>(path: ValuePath, select: (value: unknown) => Selected): Selected {
  const { store } = useEntrySession()
  return useSyncExternalStore(
    useCallback((listener) => store.subscribe(path, listener), [store, path]),
    () => select(store.valueAt(path)),
  )
}

const same = (value: unknown) => value
