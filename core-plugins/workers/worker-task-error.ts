/** A task has failed on its thread; nothing else has. */
export class WorkerTaskError extends Error {
  /** It threw, its thread ended under it, or it took too long. */
  readonly reason: 'threw' | 'crashed' | 'timed out'

  constructor(reason: WorkerTaskError['reason'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'WorkerTaskError'
    this.reason = reason
  }
}
