/** A name that no other tab can hold at the same time. */
export interface Hold {
  release(): void
}

/**
 * Takes a name, unless another tab has it; the browser takes it from tabs that are gone. Without https there are no locks:
 * then two tabs may continue from the same journal, each into its own copy.
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
