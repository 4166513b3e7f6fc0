import { setTimeout as delay } from 'node:timers/promises'
import type { Transaction } from '../../foundation/database/database.ts'
import { AppError } from '../../foundation/http/http.ts'
import type { JobStore } from './job-store.ts'
import type { Job, JobStatus, Jobs } from './jobs.ts'
import type { Kinds } from './kinds.ts'
import type { Outbox } from './outbox.ts'
import type { Runner } from './runner.ts'

export interface JobsParts {
  readonly kinds: Kinds
  readonly outbox: Outbox
  readonly store: JobStore
  readonly runner: Runner
  /** Called for a job that was cancelled while it was waiting. */
  readonly onGivenUp: (id: number) => Promise<void>
  /** Called after a commit, with the number of jobs created. */
  readonly onEnqueued: (count: number) => void
}

const unfinished: ReadonlySet<JobStatus> = new Set(['waiting', 'delayed', 'active'])
const lookEveryMs = 100

/** The service that other plugins use. */
export function createJobs({ kinds, outbox, store, runner, onGivenUp, onEnqueued }: JobsParts): Jobs {
  const made = new WeakMap<Transaction, { count: number }>()

  /** Called once per transaction, even if it creates many jobs. */
  function announce(tx: Transaction, count: number): void {
    const known = made.get(tx)
    if (known !== undefined) {
      known.count += count
      return
    }
    const counter = { count }
    made.set(tx, counter)
    tx.afterCommit(() => onEnqueued(counter.count))
  }

  return {
    async enqueue(tx, kind, payload, options = {}) {
      kinds.check(kind as never, payload)
      const id = await outbox.add(tx, kind as never, payload, options)
      announce(tx, 1)
      return id
    },
    async enqueueMany(tx, kind, jobs) {
      for (const { payload, key } of jobs) {
        if (key !== undefined) throw new Error('enqueueMany takes no jobs with keys')
        kinds.check(kind as never, payload)
      }
      if (jobs.length === 0) return
      outbox.addMany(tx, kind as never, jobs)
      announce(tx, jobs.length)
    },
    find: (id) => store.find(id),
    findUnfinished: (key) => store.findUnfinished(key),
    findMany: (ids) => store.findMany(ids),
    stats: () => store.stats(),
    async retry(id) {
      const job = await store.retry(id)
      onEnqueued(1)
      return job
    },
    async cancel(id) {
      const job = await store.cancel(id)
      if (job.status === 'cancelled') await onGivenUp(id)
      else runner.cancel(id)
      return job
    },
    async finished(id, signal): Promise<Job> {
      for (;;) {
        const job = await store.find(id)
        if (job === undefined) throw AppError.notFound('job')
        if (!unfinished.has(job.status)) return job
        await delay(lookEveryMs, undefined, signal === undefined ? {} : { signal })
      }
    },
    drain: () => runner.drain(),
  }
}
