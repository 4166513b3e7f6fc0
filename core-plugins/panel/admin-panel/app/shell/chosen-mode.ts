/** The colour scheme: light, dark, or the system's. */
export type Mode = 'light' | 'dark' | 'system'

export const storageKey = 'mortise.mode'

/** The colour scheme chosen in this browser. */
export function mode(): Mode {
  const kept = localStorage.getItem(storageKey)
  return kept === 'light' || kept === 'dark' ? kept : 'system'
}

/** Applies the choice to the document; call it before the first render. */
export function applyMode() {
  const chosen = mode()
  if (chosen === 'system') delete document.documentElement.dataset.mode
  else document.documentElement.dataset.mode = chosen
}
