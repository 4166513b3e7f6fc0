/** Longer than the names that the service generates, for plugins that store files of their own. */
const keyPattern = /^[\w-]{1,80}\.[A-Za-z0-9]{1,16}$/

/** The key in the address of a file: its last part, whatever stands before it. */
export function keyIn(url: string): string {
  return url.slice(url.lastIndexOf('/') + 1)
}

const variants = 'variants'

/**
 * Whether a text may name a file of a record: letters, digits, `_` and `-`, one dot, an extension. So no key leads out
 * of the storage, however the storage uses it.
 */
export function isMediaKey(text: string): boolean {
  return keyPattern.test(text)
}

/** The key of what is made of a file and can be made again: `variants/<file>/<name>`, both as `isMediaKey` has them. */
export function variantKey(file: string, name: string): string {
  return `${variants}/${file}/${name}`
}

/** Whether a text may name a file of a storage: a media key, or that of a variant. */
export function isStorageKey(text: string): boolean {
  const [folder, file = '', name = '', ...more] = text.split('/')
  if (file === '' && name === '') return isMediaKey(text)
  return folder === variants && isMediaKey(file) && isMediaKey(name) && more.length === 0
}
