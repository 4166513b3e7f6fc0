/** The kinds of screens that a page can be looked at in. */
export type Device = 'phone' | 'tablet' | 'desktop'

const storageKey = 'mortise.preview'

/** The one that was chosen last in this browser; otherwise what there is room for. */
export function keptDevice(): Device {
  const kept = localStorage.getItem(storageKey)
  if (kept === 'phone' || kept === 'tablet' || kept === 'desktop') return kept
  return matchMedia('(max-width: 48rem)').matches ? 'phone' : 'desktop'
}

export function keepDevice(device: Device): Device {
  localStorage.setItem(storageKey, device)
  return device
}
