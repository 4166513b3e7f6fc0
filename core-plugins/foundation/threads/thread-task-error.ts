import { recogniseAcrossCopies } from '../../../kernel/index.ts'
/** A task failed on its thread; nothing else did. */
export class ThreadTaskError extends Error {
  /** It threw, its thread died, it timed out, or a package with native code that it needs does not load here. */
  readonly reason: 'threw' | 'crashed' | 'timed out' | 'unloadable'

  constructor(reason: ThreadTaskError['reason'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'ThreadTaskError'
    this.reason = reason
  }
}

recogniseAcrossCopies(ThreadTaskError, 'ThreadTaskError')
