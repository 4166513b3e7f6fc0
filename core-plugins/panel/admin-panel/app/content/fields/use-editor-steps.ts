import { useMemo } from 'react'
import { useEntrySession } from '../entry/entry-session.ts'
import type { ValuePath } from '../schema/value-path.ts'

/** Undo and redo for editors with their own keyboard shortcuts. */
export interface EditorSteps {
  readonly undo: () => void
  readonly redo: () => void
}

/** The form's undo history, used by editors in place of their own; steps in other fields are revealed there. */
export function useEditorSteps(path: ValuePath): EditorSteps {
  const { store, reveal } = useEntrySession()
  return useMemo(() => {
    const show = (changed: ValuePath | undefined) => {
      if (changed !== undefined && changed !== path) reveal(changed)
    }
    return { undo: () => show(store.undo()), redo: () => show(store.redo()) }
  }, [store, reveal, path])
}
