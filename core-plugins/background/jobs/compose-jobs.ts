import { randomUUID } from 'node:crypto'
import type { InitContext } from '../../../kernel/index.ts'
import { type Config, role } from '../../foundation/config/config.ts'
import type { Database } from '../../foundation/database/database.ts'
import type { Route } from '../../foundation/http/http.ts'
import type { Redis } from '../../foundation/redis/redis.ts'
import type { Signals } from '../../foundation/signals/signals.ts'
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
import { createMaintenance } from './maintenance.ts'
import { createMaintenanceTimer } from './maintenance-timer.ts'
import { createOutbox } from './outbox.ts'
import { createOutcomes } from './outcomes.ts'
import { createJobRoutes } from './routes.ts'
import { createRunner, type Runner } from './runner.ts'
import { concurrency, leaseMs, pollIntervalMs, shutdownGraceMs } from './settings.ts'

export type JobsContext = InitContext<{
  readonly config: Config
  readonly database: Database
  readonly signals: Signals | undefined
  readonly redis: Redis | undefined
}>

/** The assembled parts of the plugin. */
export interface JobsComposition {
  readonly jobs: Jobs
  readonly routes: readonly Route[]
  /** Starts to claim jobs if this process is a runner. */
  start(): void
  /** Stops claiming; running jobs continue. */
  stopClaiming(): void
  /** Resolves when no job runs here any more. */
  stop(): Promise<void>
}

/** Assembles the parts; runs no query before `start`. If `runs` is given, only those kinds are run. */
export function composeJobs(context: JobsContext, runs?: readonly string[]): JobsComposition {
  const { config, database } = context.services
  const kinds = createKinds(() => context.contributions(jobKinds))
  const mailboxes = createMailboxes(database, () => notifyRunner())
  const store = createJobStore(database, mailboxes)
  const onGivenUp = givenUpListener(context, kinds, store)
  const runner = runnerOf(context, {
    kinds: runs === undefined ? kinds : onlyKinds(kinds, runs),
    mailboxes,
    onGivenUp,
  })
  const maintenance = createMaintenance({ database, kinds, mailboxes, leaseMs: config.get(leaseMs) })
  const timer = createMaintenanceTimer({
    maintenance,
    config,
    log: context.log,
    onGivenUp,
    onReclaimed: () => notifyRunner(),
  })
  const dispatch = dispatchOf(context)
  const isRunner = runs !== undefined || config.get(role) !== 'web'

  /** Wakes the runners of this process and of the others. */
  function notifyRunner(count = 1): void {
    runner.wake()
    dispatch.announce(count)
  }

  const jobs = createJobs({
    kinds,
    outbox: createOutbox(database),
    store,
    runner,
    onGivenUp,
    onEnqueued: notifyRunner,
  })
  return {
    jobs,
    routes: createJobRoutes(store, jobs),
    start() {
      if (!isRunner) return
      runner.start()
      timer.start()
      // A process that runs only some kinds has created those jobs itself, and must not consume signals meant for others.
      if (runs === undefined) dispatch.serve(runner)
    },
    stopClaiming() {
      void timer.stop()
      void runner.stop()
    },
    async stop() {
      await Promise.all([runner.stop(), timer.stop()])
      await dispatch.stop()
    },
  }
}

/** Restricts the kinds whose names are used for claiming. */
function onlyKinds(kinds: Kinds, names: readonly string[]): Kinds {
  const { get, maxDeathsOf, check } = kinds
  return { get, maxDeathsOf, check, names }
}

function dispatchOf({ services: { redis, signals }, log }: JobsContext): Dispatch {
  const bySignal = createSignalDispatch(signals)
  return redis?.isConfigured === true ? createBullmqDispatch({ redis, fallback: bySignal, log }) : bySignal
}

interface RunnerParts {
  readonly kinds: Kinds
  readonly mailboxes: Mailboxes
  readonly onGivenUp: (id: number) => Promise<void>
}

function runnerOf({ services, log }: JobsContext, { kinds, mailboxes, onGivenUp }: RunnerParts): Runner {
  const { config, database } = services
  const own = { database, mailboxes, runner: randomUUID(), leaseMs: config.get(leaseMs), log }
  return createRunner({
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

/** Notifies the kind and the listeners of a job that will not be retried; failed notifications are repeated by maintenance. */
function givenUpListener({ emit, log }: JobsContext, kinds: Kinds, store: JobStore) {
  return async (id: number): Promise<void> => {
    try {
      const job = await store.find(id)
      if (job === undefined) return
      const { name: kind, error, attempts } = job
      if (job.status === 'failed') log.error({ job: id, kind, error, attempts }, 'a job has failed for good')
      await kinds.get(job.name)?.onGivenUp?.(job.payload, job)
      if (job.status === 'failed') await emit(jobFailed, { job })
      await store.markReported(id)
    } catch (error) {
      log.error({ job: id, err: error }, 'what was to follow the failure of a job failed itself')
    }
  }
}
