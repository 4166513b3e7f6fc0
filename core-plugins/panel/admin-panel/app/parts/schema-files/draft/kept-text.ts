const storageKey = 'mortise.model'

/** What the tab has kept. */
export const keptText = (): string | undefined => sessionStorage.getItem(storageKey) ?? undefined

/** Keeps a text for as long as the tab is open, if there is room for it; undefined removes it. */
export function keepText(text: string | undefined) {
  try {
    if (text === undefined) sessionStorage.removeItem(storageKey)
    else sessionStorage.setItem(storageKey, text)
  } catch {
    // A model of several megabytes: it stays in memory.
    sessionStorage.removeItem(storageKey)
  }
}
