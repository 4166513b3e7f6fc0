import { useSyncExternalStore } from 'react'
import { applyMode, type Mode, mode, storageKey } from './chosen-mode.ts'

export const allModes: readonly Mode[] = ['system', 'light', 'dark']

export const modeIcons: Readonly<Record<Mode, string>> = { light: 'sun', dark: 'moon', system: 'monitor' }

const listeners = new Set<() => void>()

/** The chosen colour scheme, for components. */
export const useMode = (): Mode => useSyncExternalStore(subscribe, mode)

/** Stores the choice in this browser and applies it. */
export function chooseMode(chosen: Mode) {
  if (chosen === 'system') localStorage.removeItem(storageKey)
  else localStorage.setItem(storageKey, chosen)
  applyMode()
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
