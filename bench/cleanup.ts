/** Cleanup actions that run at the end, even after a failure. */
export interface Cleanup {
  add(action: () => Promise<void>): void
  /** Runs the actions, last added first, each once; the first failure is thrown when all have run. */
  run(): Promise<void>
}

export function createCleanup(): Cleanup {
  const actions: (() => Promise<void>)[] = []
  return {
    add: (action) => actions.push(action),
    async run() {
      const failures: unknown[] = []
      for (let action = actions.pop(); action !== undefined; action = actions.pop()) {
        await action().catch((error) => failures.push(error))
      }
      if (failures.length > 0) throw failures[0]
    },
  }
}
