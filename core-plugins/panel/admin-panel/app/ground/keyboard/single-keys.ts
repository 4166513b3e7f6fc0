const storageKey = 'mortise.singleKeys'

/** Whether keys without Mod or Alt do something. Who dictates to the page or presses keys by mistake turns them off. */
export const areSingleKeysOn = () => localStorage.getItem(storageKey) !== 'off'

/** Keeps the choice in this browser. */
export function switchSingleKeys(isOn: boolean) {
  if (isOn) localStorage.removeItem(storageKey)
  else localStorage.setItem(storageKey, 'off')
}
