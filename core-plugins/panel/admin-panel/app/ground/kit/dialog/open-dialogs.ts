import { useEffect } from 'react'

let open = 0
const waiting = new Set<() => void>()

/** Counts the open dialogs. */
export function useOpenDialog(isOpen: boolean): void {
  useEffect(() => {
    if (!isOpen) return undefined
    open++
    return () => {
      open--
      if (open > 0) return
      const calls = [...waiting]
      waiting.clear()
      for (const call of calls) call()
    }
  }, [isOpen])
}

/**
 * Calls `call` once no dialog is open, so that the page behind a dialog does not change and nobody confirms something other than
 * they have read. A call that is already waiting is not added twice. Returns a function to cancel it.
 */
export function whenNoDialogIsOpen(call: () => void): () => void {
  if (open === 0) call()
  else waiting.add(call)
  return () => waiting.delete(call)
}
