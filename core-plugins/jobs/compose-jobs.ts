import { randomUUID } from 'node:crypto'
import type { InitContext } from '../../kernel/index.ts'
import { type Config, role } from '../config/config.ts'
import type { Database } from '../database/database.ts'
import type { Route } from '../http/http.ts'
import type { Redis } from '../redis/redis.ts'
import type { Signals } from '../signals/signals.ts'
import { createBullmqDispatch } from './bullmq-dispatch.ts'
import { createCapacity } from './capacity.ts'
import { createClaims } from './claims.ts'
import { createSignalDispatch, type Dispatch } from './dispatch.ts'
import { createJobStore, type JobStore } from './job-store.ts'
import { type Jobs, jobFailed, jobKinds } from './jobs.ts'
import { createJobs } from './jobs-service.ts'
import { createKinds, type Kinds } from './kinds.ts'
import { createLeases } from './leases.ts'
import { createMailboxes, type Mailboxes } from './mailboxes.ts'
import { createOutbox } from './outbox.ts'
import { createOutcomes } from './outcomes.ts'
import { createRounds } from './rounds.ts'
import { createJobRoutes } from './routes.ts'
import { concurrency, leaseMs, pollIntervalMs, shutdownGraceMs } from './settings.ts'
import { createSweep } from './sweep.ts'
import { createWorker, type Worker } from './worker.ts'

export type JobsContext = InitContext<{
  readonly config: Config
  readonly database: Database
  readonly signals: Signals | undefined
  readonly redis: Redis | undefined
}>

/** What the plugin is made of, put together. */
export interface JobsComposition {
  readonly jobs: Jobs
  readonly routes: readonly Route[]
  /** Begins to look for jobs, where this process is a worker. */
  start(): void
  /** Claims nothing any more; what runs goes on. */
  stopClaiming(): void
  /** Resolves when nothing runs here any more. */
  stop(): Promise<void>
}

/** Puts the parts together; no query is run before `start`. */
export function composeJobs(context: JobsContext): JobsComposition {
  const { config, database } = context.services
  const kinds = createKinds(() => context.contributions(jobKinds))
  const mailboxes = createMailboxes(database, () => tell())
  const store = createJobStore(database, mailboxes)
  const onGivenUp = givenUpListener(context, kinds, store)
  const worker = workerOf(context, { kinds, mailboxes, onGivenUp })
  const sweep = createSweep({ database, kinds, mailboxes, leaseMs: config.get(leaseMs) })
  const rounds = createRounds({ sweep, config, log: context.log, onGivenUp, onReclaimed: () => tell() })
  const dispatch = dispatchOf(context)
  const isWorker = config.get(role) !== 'web'

  /** This process and the others look for jobs. */
  function tell(count = 1): void {
    worker.wake()
    dispatch.announce(count)
  }

  const jobs = createJobs({
    kinds,
    outbox: createOutbox(database),
    store,
    worker,
    onGivenUp,
    onEnqueued: tell,
  })
  return {
    jobs,
    routes: createJobRoutes(store, jobs),
    start() {
      if (!isWorker) return
      worker.start()
      rounds.start()
      dispatch.serve(worker)
    },
    stopClaiming() {
      void rounds.stop()
      void worker.stop()
    },
    async stop() {
      await Promise.all([worker.stop(), rounds.stop()])
      await dispatch.stop()
    },
  }
}

function dispatchOf({ services: { redis, signals }, log }: JobsContext): Dispatch {
  const bySignal = createSignalDispatch(signals)
  return redis?.isConfigured === true ? createBullmqDispatch({ redis, fallback: bySignal, log }) : bySignal
}

interface WorkerParts {
  readonly kinds: Kinds
  readonly mailboxes: Mailboxes
  readonly onGivenUp: (id: number) => Promise<void>
}

function workerOf({ services, log }: JobsContext, { kinds, mailboxes, onGivenUp }: WorkerParts): Worker {
  const { config, database } = services
  const own = { database, mailboxes, worker: randomUUID(), leaseMs: config.get(leaseMs), log }
  return createWorker({
    claims: createClaims(own),
    outcomes: createOutcomes(own),
    leases: createLeases(own),
    capacity: createCapacity(kinds, config.get(concurrency)),
    kinds,
    pollIntervalMs: config.get(pollIntervalMs),
    leaseMs: own.leaseMs,
    shutdownGraceMs: config.get(shutdownGraceMs),
    onGivenUp,
    log,
  })
}

/** Tells the kind and everybody else of a job that will not be tried again. */
function givenUpListener({ emit, log }: JobsContext, kinds: Kinds, store: JobStore) {
  return async (id: number): Promise<void> => {
    try {
      const job = await store.find(id)
      if (job === undefined) return
      const { name: kind, error, attempts } = job
      if (job.status === 'failed') log.error({ job: id, kind, error, attempts }, 'a job has failed for good')
      await kinds.get(job.name)?.onGivenUp?.(job.payload, job)
      if (job.status === 'failed') await emit(jobFailed, { job })
    } catch (error) {
      log.error({ job: id, err: error }, 'what was to follow the failure of a job failed itself')
    }
  }
}
