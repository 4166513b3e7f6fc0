import type { Static, TSchema } from 'typebox'
import {
  type ExtensionPoint,
  extensionPoint,
  type HookToken,
  hook,
  type Log,
  recogniseAcrossCopies,
  type ServiceToken,
  service,
} from '../../../kernel/index.ts'
import type { Transaction } from '../../foundation/database/database.ts'
import type { Job, JobStats } from './job.ts'

export type { Job, JobStats, JobStatus } from './job.ts'
export { createPace, type Pace, type PaceOptions } from './pace.ts'

/** The context of a running job. */
export interface JobContext {
  readonly job: Pick<Job, 'id' | 'name' | 'attempts' | 'maxAttempts' | 'createdAt'>
  /** Aborted when the job is cancelled, times out, loses its lease, or the service stops. */
  readonly signal: AbortSignal
  readonly log: Log
  /** Shown to administrators within about a second; 0 to 100. */
  reportProgress(percent: number): void
}

/**
 * A kind of work. `run` must be safe to run twice: if the process dies, the job is run again from the start.
 * An error it throws fails the attempt.
 */
export interface JobKind<Payload = unknown> {
  /** `<plugin>.<verb>`, unique. */
  readonly name: string
  /** Checked when a job is created, and again before it runs. */
  readonly payload: TSchema
  /** The maximum number of times a job is started; 5 by default. */
  readonly maxAttempts?: number
  /**
   * How many processes may die while running it (killed, or out of memory) before it fails; 5 by default, and
   * never more than `maxAttempts`.
   */
  readonly maxDeaths?: number
  /**
   * The delay before the next attempt, after `attempts` failed ones; by default it grows from 1 s to 10 min.
   */
  retryDelayMs?(attempts: number): number
  /** After this time the signal is aborted; an hour by default. */
  readonly timeoutMs?: number
  /**
   * How many of this kind one process runs at the same time, not counted against `jobs.concurrency`: for work
   * that mostly waits for I/O. Kinds without it share `jobs.concurrency`.
   */
  readonly concurrency?: number
  /** How many of one lane (see `EnqueueOptions`) one process runs at the same time. */
  readonly laneConcurrency?: number
  /** Returns the JSON value stored as the job's `result`. */
  run(payload: Payload, context: JobContext): unknown
  /**
   * Called to clean up after the last attempt failed or the job was cancelled. Called again, possibly by another process, until
   * it succeeds once, for at most some hours. Errors are logged.
   */
  onGivenUp?(payload: Payload, job: Job): unknown
}

/** Infers the payload type of `run` from the schema. */
export function defineJob<Payload extends TSchema>(
  kind: JobKind<Static<Payload>> & { readonly payload: Payload },
): JobKind<Static<Payload>> {
  return kind
}

/**
 * All kinds of work; contribute in `register` or `init`. Jobs of a kind that no plugin contributes stay waiting.
 */
export const jobKinds: ExtensionPoint<JobKind> = extensionPoint('jobKinds')

/** Thrown by `run` when a retry would not help: the job fails immediately. */
export class UnretriableJobError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'UnretriableJobError'
  }
}

recogniseAcrossCopies(UnretriableJobError, 'UnretriableJobError')

/** When a job runs, and how it relates to other jobs. */
export interface EnqueueOptions {
  /** Jobs of one mailbox run one after the other across all processes, in the order in which they were created. */
  readonly mailbox?: string
  /** Groups jobs for `laneConcurrency`, e.g. by the host that they connect to. */
  readonly lane?: string
  /** Not before this time; ISO 8601. */
  readonly runAt?: string
  /** While a job with this key is unfinished, no other job with it is created. */
  readonly key?: string
  readonly maxAttempts?: number
}

/** A job to create, with the payload that its kind declares. */
export interface NewJob<Payload = unknown> extends EnqueueOptions {
  readonly payload: Payload
}

/** The queue: jobs are rows of the database, written in the transaction of their cause. */
export interface Jobs {
  /**
   * Creates a job in an open transaction: it runs after the commit, and never after a rollback.
   * @returns its id; with a `key`, the id of the unfinished job that has it
   * @throws Error if the payload does not match the kind's schema
   */
  enqueue<Payload>(
    tx: Transaction,
    kind: JobKind<Payload>,
    payload: Payload,
    options?: EnqueueOptions,
  ): Promise<number>
  /** Creates many jobs in few statements. Keys are not allowed. */
  enqueueMany<Payload>(
    tx: Transaction,
    kind: JobKind<Payload>,
    jobs: readonly NewJob<Payload>[],
  ): Promise<void>
  find(id: number): Promise<Job | undefined>
  /** The unfinished job with a key, if any. */
  findUnfinished(key: string): Promise<Job | undefined>
  /** The existing jobs among the ids, in no particular order. */
  findMany(ids: readonly number[]): Promise<readonly Job[]>
  stats(): Promise<JobStats>
  /** Makes a failed or cancelled job wait again, with all its attempts left. @throws AppError 404, 409 */
  retry(id: number): Promise<Job>
  /** Cancels a waiting job immediately and asks a running one to stop. @throws AppError 404, 409 */
  cancel(id: number): Promise<Job>
  /** Resolves with the job when it has finished, in any process. */
  finished(id: number, signal?: AbortSignal): Promise<Job>
  /** For tests: runs what is due in this process until nothing is due or running here. */
  drain(): Promise<void>
}

/** Creates jobs in transactions, and follows them. */
export const jobsService: ServiceToken<Jobs> = service('jobs')

/** A job has failed for good. Emitted by the process that ran it. */
export const jobFailed: HookToken<{ readonly job: Job }> = hook('jobs:failed')
