/** Longer than the names that the service generates, since plugins may store files of their own. */
const keyPattern = /^[\w-]{1,80}\.[A-Za-z0-9]{1,16}$/

/** The key in the address of a file: its last segment. */
export function keyIn(url: string): string {
  return url.slice(url.lastIndexOf('/') + 1)
}

const variants = 'variants'

/**
 * Whether a text may be the key of a record's file: letters, digits, `_` and `-`, one dot, an extension. Such a key cannot
 * lead out of the storage, however the storage uses it.
 */
export function isMediaKey(text: string): boolean {
  return keyPattern.test(text)
}

/** The key of a derived file: `variants/<file>/<name>`, where both parts pass `isMediaKey`. */
export function variantKey(file: string, name: string): string {
  return `${variants}/${file}/${name}`
}

/** Whether a text may be a key of a storage: a media key or the key of a variant. */
export function isStorageKey(text: string): boolean {
  const [folder, file = '', name = '', ...more] = text.split('/')
  if (file === '' && name === '') return isMediaKey(text)
  return folder === variants && isMediaKey(file) && isMediaKey(name) && more.length === 0
}
