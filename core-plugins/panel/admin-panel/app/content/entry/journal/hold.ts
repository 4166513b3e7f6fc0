/** An exclusive lock on a name across tabs. */
export interface Hold {
  release(): void
}

/**
 * Acquires the lock unless another tab holds it; the browser releases the locks of closed tabs. Without https the Web Locks API
 * is missing: then two tabs may continue from the same journal, each into its own copy.
 */
export function hold(name: string): Promise<Hold | undefined> {
  const { locks } = navigator as { readonly locks?: LockManager }
  if (locks === undefined) return Promise.resolve({ release() {} })
  return new Promise((resolve, reject) => {
    const held = locks.request(`mortise-journal ${name}`, { ifAvailable: true }, (lock) => {
      if (lock === null) return resolve(undefined)
      return new Promise<void>((release) => resolve({ release }))
    })
    held.catch(reject)
  })
}
