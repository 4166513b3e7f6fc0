import { AppError } from '../../../foundation/http/http.ts'

/** Runs costly tasks with limited concurrency. Sources take turns, however many tasks each of them has. */
export interface FairQueue {
  /** @throws AppError 503 if too many tasks wait; those of the source with the most tasks are rejected first */
  run<T>(source: string, task: () => Promise<T>): Promise<T>
}

interface Waiting {
  start(): void
  turnAway(): void
}

/** Creates a queue: `lanes` tasks run at the same time and at most `maxWaiting` wait. */
export function createFairQueue({ lanes, maxWaiting }: { lanes: number; maxWaiting: number }): FairQueue {
  /** In the order in which they take turns. */
  const sources = new Map<string, Waiting[]>()
  let running = 0
  let waitingCount = 0

  function wait(source: string, waiting: Waiting) {
    const own = sources.get(source)
    if (own === undefined) sources.set(source, [waiting])
    else own.push(waiting)
    waitingCount++
    if (waitingCount > maxWaiting) turnOneAway()
  }

  function turnOneAway() {
    const [longest] = [...sources.values()].sort((left, right) => right.length - left.length)
    longest?.pop()?.turnAway()
    waitingCount--
  }

  function startNext() {
    const [next] = sources
    if (next === undefined) return
    const [source, own] = next
    sources.delete(source)
    const first = own.shift()
    if (own.length > 0) sources.set(source, own)
    if (first === undefined) return startNext()
    waitingCount--
    first.start()
  }

  const turn = (source: string) =>
    new Promise<void>((start, reject) => wait(source, { start, turnAway: () => reject(overloaded()) }))

  return {
    async run(source, task) {
      if (running >= lanes) await turn(source)
      else running++
      try {
        return await task()
      } finally {
        // The slot is released, or used for the next task.
        if (waitingCount > 0) startNext()
        else running--
      }
    },
  }
}

function overloaded(): AppError {
  return new AppError('UNAVAILABLE', 'too many are signing in; try again in a few seconds', {
    reason: 'queue_full',
    headers: { 'retry-after': '5' },
  })
}
