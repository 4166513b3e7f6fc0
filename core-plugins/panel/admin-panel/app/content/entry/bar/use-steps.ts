import { useEntrySession } from '../entry-session.ts'

/** Undo and redo; each reveals the field that it has changed. */
export function useSteps() {
  const { store, reveal } = useEntrySession()
  const show = (path: string | undefined) => path !== undefined && reveal(path)
  return { undo: () => show(store.undo()), redo: () => show(store.redo()) }
}
