import { useEffect } from 'react'

let open = 0
const waiting = new Set<() => void>()

/** Counts the dialogs that stand over the page. */
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
 * Runs what changes the page behind dialogs when none is open, so that nobody agrees to something else than they have
 * read. What waits already is not run twice. Answers how to call it off.
 */
export function whenNoDialogIsOpen(call: () => void): () => void {
  if (open === 0) call()
  else waiting.add(call)
  return () => waiting.delete(call)
}
