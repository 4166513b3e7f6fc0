/** Longer than the names that the service generates, for plugins that store files of their own. */
const keyPattern = /^[\w-]{1,80}\.[A-Za-z0-9]{1,16}$/

/**
 * Whether a text may name a file of a storage: letters, digits, `_` and `-`, one dot, an extension. So no key leads out
 * of the storage, however the storage uses it.
 */
export function isMediaKey(text: string): boolean {
  return keyPattern.test(text)
}
