/** Runs tasks strictly one after the other, in the order in which they were sent. */
export interface Mailbox {
  /** Settles as the task does. A failed task does not stop the ones behind it. */
  run<T>(task: () => T | Promise<T>): Promise<T>
  /** Resolves when everything sent so far has ended. */
  idle(): Promise<void>
}

/** Creates an empty mailbox. */
export function createMailbox(): Mailbox {
  let tail: Promise<unknown> = Promise.resolve()
  return {
    run(task) {
      const result = tail.then(task)
      tail = result.catch(() => undefined)
      return result
    },
    async idle() {
      await tail
    },
  }
}

/** One mailbox per key; tasks with different keys do not wait for each other. */
export interface KeyedMailbox {
  /** Settles as the task does. A failed task does not stop the ones behind it. */
  run<T>(key: string, task: () => T | Promise<T>): Promise<T>
}

/** Drops keys whose tasks have all ended. */
export function createKeyedMailbox(): KeyedMailbox {
  const tails = new Map<string, Promise<unknown>>()
  return {
    async run(key, task) {
      const result = (tails.get(key) ?? Promise.resolve()).then(task)
      const tail = result.catch(() => undefined)
      tails.set(key, tail)
      try {
        return await result
      } finally {
        if (tails.get(key) === tail) tails.delete(key)
      }
    },
  }
}
