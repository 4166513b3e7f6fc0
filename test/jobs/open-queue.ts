import { randomUUID } from 'node:crypto'
import { type Capacity, createCapacity } from '../../core-plugins/background/jobs/capacity.ts'
import { createClaims } from '../../core-plugins/background/jobs/claims.ts'
import { createJobStore, type JobStore } from '../../core-plugins/background/jobs/job-store.ts'
import type { EnqueueOptions, Job, JobKind } from '../../core-plugins/background/jobs/jobs.ts'
import { createKinds, type Kinds } from '../../core-plugins/background/jobs/kinds.ts'
import { createLeases } from '../../core-plugins/background/jobs/leases.ts'
import { createMailboxes, type Mailboxes } from '../../core-plugins/background/jobs/mailboxes.ts'
import { createOutbox } from '../../core-plugins/background/jobs/outbox.ts'
import { createOutcomes } from '../../core-plugins/background/jobs/outcomes.ts'
import { createRunner, type Runner, type RunnerOptions } from '../../core-plugins/background/jobs/runner.ts'
import { jobsTable } from '../../core-plugins/background/jobs/tables.ts'
import type { Driver } from '../../core-plugins/foundation/database/driver.ts'
import type { DatabaseUnderTest } from '../support/databases.ts'
import { openTestDatabase } from '../support/open-test-database.ts'
import { type LogLine, recordingLog } from '../support/recording-log.ts'
import type { TestKind } from './jobs-world.ts'

type RunnerSettings = Pick<RunnerOptions, 'pollIntervalMs' | 'leaseMs' | 'shutdownGraceMs'> & {
  /** For all kinds without a limit of their own together. */
  readonly concurrency: number
}

/** A runner, as in a process. */
export interface QueueRunner extends Runner {
  readonly id: string
  readonly capacity: Capacity
  readonly givenUp: readonly number[]
  readonly logLines: readonly LogLine[]
}

/** The queue alone, without a service: nothing happens unless a test asks for it. */
export interface Queue {
  readonly database: Driver
  readonly kinds: Kinds
  readonly store: JobStore
  readonly mailboxes: Mailboxes
  /** How often mailboxes reported that jobs wait again. */
  readonly releases: () => number
  enqueue(kind: TestKind, value?: unknown, options?: EnqueueOptions): Promise<number>
  find(id: number): Promise<Job>
  runner(settings?: Partial<RunnerSettings>): QueueRunner
  /** Stops the runners and removes the database. */
  close(): Promise<void>
}

/** Longer than any test, so that nothing depends on the interval. */
const neverMs = 2_000_000_000

const defaults: RunnerSettings = {
  pollIntervalMs: neverMs,
  leaseMs: neverMs,
  shutdownGraceMs: 0,
  concurrency: 10,
}

/** Opens the queue on an empty database. */
export async function openQueue(engine: DatabaseUnderTest, testKinds: readonly TestKind[]): Promise<Queue> {
  const { driver: database, close } = await openTestDatabase(engine, [jobsTable.spec])
  const kinds = createKinds(() => testKinds.map(({ kind }) => kind as JobKind))
  let releases = 0
  const mailboxes = createMailboxes(database, () => releases++)
  const store = createJobStore(database, mailboxes)
  const outbox = createOutbox(database)
  const runners: Runner[] = []
  return {
    database,
    kinds,
    store,
    mailboxes,
    releases: () => releases,
    enqueue: ({ kind }, value, options = {}) =>
      database.transaction((tx) => outbox.add(tx, kind, value === undefined ? {} : { value }, options)),
    async find(id) {
      const job = await store.find(id)
      if (job === undefined) throw new Error(`there is no job ${id}`)
      return job
    },
    runner(settings = {}) {
      const options = { ...defaults, ...settings }
      const id = randomUUID()
      const { log, lines: logLines } = recordingLog()
      const own = { database, mailboxes, runner: id, leaseMs: options.leaseMs, log }
      const capacity = createCapacity(kinds, options.concurrency)
      const givenUp: number[] = []
      const runner = createRunner({
        ...{ ...options, kinds, capacity, log },
        claims: createClaims(own),
        outcomes: createOutcomes(own),
        leases: createLeases(own),
        onGivenUp: async (job) => void givenUp.push(job),
      })
      runners.push(runner)
      return Object.assign(runner, { id, capacity, givenUp, logLines })
    },
    async close() {
      await Promise.all(runners.map((runner) => runner.stop()))
      await close()
    },
  }
}
