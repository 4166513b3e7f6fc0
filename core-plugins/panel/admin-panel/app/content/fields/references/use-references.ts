import { useState } from 'react'
import { movedTo } from '../../../ground/kit/sortable/moved-to.ts'
import { useEntrySession } from '../../entry/entry-session.ts'
import { useField } from '../../entry/use-field.ts'
import type { ValuePath } from '../../schema/value-path.ts'

/** The ids that a field of references holds, one or several. */
export const idsOf = (value: unknown): readonly number[] =>
  [value].flat().filter((id): id is number => typeof id === 'number')

export interface References {
  readonly ids: readonly number[]
  /** The first references, and more on request: a field may refer to thousands. */
  readonly shown: readonly number[]
  readonly showMore: () => void
  readonly isMany: boolean
  /** Whether there is room for another one. */
  readonly takesMore: boolean
  readonly add: (...added: readonly number[]) => void
  readonly remove: (id: number) => void
  readonly move: (from: number, before: number) => void
  readonly problem: string | undefined
  readonly disabled: boolean
}

/** How many are shown at once. */
export const referencesAtOnce = 50

/** A field of references: a list of ids, or a single id. */
export function useReferences(path: ValuePath, isMany: boolean): References {
  const { store } = useEntrySession()
  const { value, set, problem, disabled } = useField(path)
  const [count, setCount] = useState(referencesAtOnce)
  const ids = idsOf(value)
  // Uploaded files arrive one by one, long after they were dropped.
  const current = () => idsOf(store.valueAt(path))
  return {
    ids,
    shown: ids.slice(0, count),
    showMore: () => setCount(count + referencesAtOnce),
    isMany,
    takesMore: !disabled && (isMany || ids.length === 0),
    problem,
    disabled,
    add: (...added) => set(isMany ? [...new Set([...current(), ...added])] : (added[0] ?? null)),
    remove: (id) => set(isMany ? current().filter((each) => each !== id) : null),
    move: (from, before) => set(movedTo(current(), from, before)),
  }
}
