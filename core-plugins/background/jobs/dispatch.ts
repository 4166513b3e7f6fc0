import type { Signals } from '../../foundation/signals/signals.ts'
import type { Runner } from './runner.ts'

/**
 * Notifies the runners of other processes of new jobs. They also poll, so a lost notification only causes a
 * delay.
 */
export interface Dispatch {
  /** Called after the commit with the number of jobs created. Never throws. */
  announce(jobs: number): void
  /** Starts to wake a runner of this process. */
  serve(runner: Runner): void
  stop(): Promise<void>
}

const topic = 'jobs'

/** Wakes all processes at once, over the signals. */
export function createSignalDispatch(signals: Signals | undefined): Dispatch {
  let endListening: () => void = () => undefined
  return {
    announce: () => signals?.send(topic),
    serve(runner) {
      endListening = signals?.onSignal(topic, () => runner.wake()) ?? endListening
    },
    async stop() {
      endListening()
    },
  }
}
