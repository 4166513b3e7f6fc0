import type { Signals } from '../signals/signals.ts'
import type { Worker } from './worker.ts'

/** Tells workers of other processes that there are jobs. What gets lost here is found by their looking regularly. */
export interface Dispatch {
  /** Called after the commit, with how many jobs it has made. Never throws. */
  announce(jobs: number): void
  /** Begins to wake a worker of this process. */
  serve(worker: Worker): void
  stop(): Promise<void>
}

const topic = 'jobs'

/** Wakes all processes at once, over whatever carries signals. */
export function createSignalDispatch(signals: Signals | undefined): Dispatch {
  let endListening: () => void = () => undefined
  return {
    announce: () => signals?.send(topic),
    serve(worker) {
      endListening = signals?.onSignal(topic, () => worker.wake()) ?? endListening
    },
    async stop() {
      endListening()
    },
  }
}
