import type { MediaStorage } from '../storage.ts'

/** Wraps a storage so that `onError` is called with each rejection. */
export function watchErrors(storage: MediaStorage, onError: (error: unknown) => void): MediaStorage {
  const { locate, removeLeftovers, close, spoolDirectory } = storage
  const pass = (error: unknown): never => {
    onError(error)
    throw error
  }
  return {
    write: (key, source, description) => storage.write(key, source, description).catch(pass),
    adopt: (key, path, description) => storage.adopt(key, path, description).catch(pass),
    stat: (key) => storage.stat(key).catch(pass),
    read: (key, range) => storage.read(key, range).catch(pass),
    delete: (key) => storage.delete(key).catch(pass),
    ...(locate && { locate: (key: string) => locate.call(storage, key).catch(pass) }),
    ...(removeLeftovers && { removeLeftovers: () => removeLeftovers.call(storage) }),
    ...(close && { close: () => close.call(storage) }),
    ...(spoolDirectory !== undefined && { spoolDirectory }),
  }
}
