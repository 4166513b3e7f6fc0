/** The screen sizes for previews. */
export type Device = 'phone' | 'tablet' | 'desktop'

const storageKey = 'mortise.preview'

/** The last choice in this browser; by default the largest that fits. */
export function keptDevice(): Device {
  const kept = localStorage.getItem(storageKey)
  if (kept === 'phone' || kept === 'tablet' || kept === 'desktop') return kept
  return matchMedia('(max-width: 48rem)').matches ? 'phone' : 'desktop'
}

export function keepDevice(device: Device): Device {
  localStorage.setItem(storageKey, device)
  return device
}
