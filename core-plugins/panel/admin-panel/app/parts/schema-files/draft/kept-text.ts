const storageKey = 'mortise.model'

/** The text stored in this tab. */
export const keptText = (): string | undefined => sessionStorage.getItem(storageKey) ?? undefined

/** Stores a text while the tab is open, if there is space; undefined removes it. */
export function keepText(text: string | undefined) {
  try {
    if (text === undefined) sessionStorage.removeItem(storageKey)
    else sessionStorage.setItem(storageKey, text)
  } catch {
    // Storage is full: the draft stays in memory only.
    sessionStorage.removeItem(storageKey)
  }
}
