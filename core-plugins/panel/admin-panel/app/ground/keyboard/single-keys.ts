const storageKey = 'mortise.singleKeys'

/** Whether shortcuts of a single key are on. Users of speech input, and users who press keys by mistake, can turn them off. */
export const areSingleKeysOn = () => localStorage.getItem(storageKey) !== 'off'

/** Stores the choice in this browser. */
export function switchSingleKeys(isOn: boolean) {
  if (isOn) localStorage.removeItem(storageKey)
  else localStorage.setItem(storageKey, 'off')
}
