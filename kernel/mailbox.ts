/** Runs tasks strictly one after the other, in the order in which they were sent. */
export interface Mailbox {
  /** Resolves or rejects as the task does. A failed task does not stop those behind it. */
  run<T>(task: () => T | Promise<T>): Promise<T>
  /** Resolves when everything sent so far has ended. */
  idle(): Promise<void>
}

/** Makes an empty mailbox. */
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
