/** Light, dark, or as the system says. */
export type Mode = 'light' | 'dark' | 'system'

export const storageKey = 'mortise.mode'

/** What was chosen in this browser. */
export function mode(): Mode {
  const kept = localStorage.getItem(storageKey)
  return kept === 'light' || kept === 'dark' ? kept : 'system'
}

/** Puts the choice where styles find it; called before anything is drawn. */
export function applyMode() {
  const chosen = mode()
  if (chosen === 'system') delete document.documentElement.dataset.mode
  else document.documentElement.dataset.mode = chosen
}
