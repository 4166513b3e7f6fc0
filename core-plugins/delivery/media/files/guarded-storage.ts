import { isStorageKey } from '../media-key.ts'
import type { MediaStorage } from '../storage.ts'

/** Rejects invalid keys, so that storages do not have to check them. */
export function guardKeys(storage: MediaStorage): MediaStorage {
  const { locate, removeLeftovers, close, spoolDirectory } = storage
  return {
    write: async (key, source, description) => storage.write(assertKey(key), source, description),
    adopt: async (key, path, description) => storage.adopt(assertKey(key), path, description),
    stat: async (key) => storage.stat(assertKey(key)),
    read: async (key, range) => storage.read(assertKey(key), range),
    delete: async (key) => storage.delete(assertKey(key)),
    ...(locate && { locate: async (key: string) => locate.call(storage, assertKey(key)) }),
    ...(removeLeftovers && { removeLeftovers: () => removeLeftovers.call(storage) }),
    ...(close && { close: () => close.call(storage) }),
    ...(spoolDirectory !== undefined && { spoolDirectory }),
  }
}

function assertKey(key: string): string {
  if (isStorageKey(key)) return key
  throw new Error(`${JSON.stringify(key.slice(0, 200))} cannot name a file of the storage`)
}
