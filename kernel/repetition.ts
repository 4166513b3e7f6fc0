import { createMailbox } from './mailbox.ts'

/** A task that is done again and again, never twice at the same time. */
export interface Repetition {
  /** Has it done once more, besides; after the one that is under way. */
  runNow(): void
  /** Aborts the signal of the one that is under way; resolves when it has ended. */
  stop(): Promise<void>
}

export interface RepetitionOptions {
  readonly everyMs: number
  /** Told when the task fails; it is done again in any case. */
  readonly onError: (error: unknown) => void
}

/** Does `task` every so often, while nothing keeps the process alive for it; for the first time after `everyMs`. */
export function repeat(
  task: (signal: AbortSignal) => unknown,
  { everyMs, onError }: RepetitionOptions,
): Repetition {
  const mailbox = createMailbox()
  const stopping = new AbortController()
  const runNow = () => {
    if (stopping.signal.aborted) return
    mailbox
      .run(() => {
        if (!stopping.signal.aborted) return task(stopping.signal)
      })
      .catch(onError)
  }
  const timer = setInterval(runNow, everyMs)
  timer.unref()
  return {
    runNow,
    stop() {
      clearInterval(timer)
      stopping.abort()
      return mailbox.idle()
    },
  }
}
