import { createMailbox } from './mailbox.ts'

/** A task that runs repeatedly, never twice at the same time. */
export interface Repetition {
  /** Runs the task once more, out of turn; after the current run, if there is one. */
  runNow(): void
  /** Stops repeating and aborts the signal of the current run; resolves when it has ended. */
  stop(): Promise<void>
}

export interface RepetitionOptions {
  readonly everyMs: number
  /** Called when the task fails; it is repeated in any case. */
  readonly onError: (error: unknown) => void
}

/** Runs `task` periodically, the first time after `everyMs`, without keeping the process alive. */
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
