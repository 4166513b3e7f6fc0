import { recogniseAcrossCopies } from '../../../kernel/index.ts'
/** A task failed on its thread; the service itself is not affected. */
export class ThreadTaskError extends Error {
  /**
   * The task threw, its thread died, it timed out, or a package with native code that it needs cannot be loaded here.
   */
  readonly reason: 'threw' | 'crashed' | 'timed out' | 'unloadable'

  constructor(reason: ThreadTaskError['reason'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'ThreadTaskError'
    this.reason = reason
  }
}

recogniseAcrossCopies(ThreadTaskError, 'ThreadTaskError')
