import { useMemo } from 'react'
import { useEntrySession } from '../entry/entry-session.ts'
import type { ValuePath } from '../schema/value-path.ts'

/** Undo and redo as an editor with keys of its own calls them. */
export interface EditorSteps {
  readonly undo: () => void
  readonly redo: () => void
}

/** The history of the form, which editors have in place of one of their own; steps in other fields are shown there. */
export function useEditorSteps(path: ValuePath): EditorSteps {
  const { store, reveal } = useEntrySession()
  return useMemo(() => {
    const show = (changed: ValuePath | undefined) => {
      if (changed !== undefined && changed !== path) reveal(changed)
    }
    return { undo: () => show(store.undo()), redo: () => show(store.redo()) }
  }, [store, reveal, path])
}
