import { type ServiceToken, service } from '../../../kernel/index.ts'

export { ThreadTaskError } from './thread-task-error.ts'

/**
 * A function that runs on another thread, with its argument and result types: anything `structuredClone` can
 * copy.
 */
export interface ThreadTask<Payload, Result> {
  /** A module whose default export is the function. */
  readonly url: URL
  /** Never set: only carries the function's type. */
  readonly run?: (payload: Payload) => Result | Promise<Result>
}

/**
 * Names the module of a task:
 * `defineTask<typeof import('./pack-task.ts').default>(new URL('./pack-task.ts', import.meta.url))`.
 * The module runs on its own thread: it shares no state with the service and must not import any plugin's
 * `plugin.ts`.
 */
export function defineTask<Run extends (payload: never) => unknown>(
  url: URL,
): ThreadTask<Parameters<Run>[0], Awaited<ReturnType<Run>>> {
  return { url }
}

/** How a task on a thread ends early. */
export interface TaskOptions {
  /** Cancels the task, also while it waits for a thread. */
  readonly signal?: AbortSignal
  /** The time limit in milliseconds, not counting the wait for a thread; a minute by default. */
  readonly timeoutMs?: number
}

/** Runs CPU-heavy work on a few threads, which are started on demand. */
export interface Threads {
  /**
   * Runs a task on a free thread, or on the next one that becomes free; first come, first served.
   * @throws ThreadTaskError if the task throws, times out, or crashes its thread
   * @throws AppError 503 if too many tasks are waiting
   * @throws the signal's reason when it is aborted
   */
  run<Payload, Result>(
    task: ThreadTask<Payload, Result>,
    payload: Payload,
    options?: TaskOptions,
  ): Promise<Result>
  /**
   * Like `run`, for tasks that take minutes: they run one after the other on a thread of their own, so that
   * short tasks need not wait for them.
   */
  runLong<Payload, Result>(
    task: ThreadTask<Payload, Result>,
    payload: Payload,
    options?: TaskOptions,
  ): Promise<Result>
  /**
   * A lane for tasks of one kind that may keep all of its threads busy, so that other tasks need not wait for them:
   * up to `maxThreads` additional threads, but no more than `run` has. Create it once.
   */
  createLane(maxThreads: number): Pick<Threads, 'run'>
}

/** Runs CPU-heavy work on other threads. */
export const threadsService: ServiceToken<Threads> = service('threads')
