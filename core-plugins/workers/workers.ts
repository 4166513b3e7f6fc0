import { type ServiceToken, service } from '../../kernel/index.ts'

export { WorkerTaskError } from './worker-task-error.ts'

/** A function that runs on another thread, with what it takes and answers: what `structuredClone` can copy. */
export interface WorkerTask<Payload, Result> {
  /** Of a module whose default export is the function. */
  readonly url: URL
  /** Never set: it carries the function's type only. */
  readonly run?: (payload: Payload) => Result | Promise<Result>
}

/**
 * Names the module of a task:
 * `defineTask<typeof import('./pack-task.ts').default>(new URL('./pack-task.ts', import.meta.url))`.
 * The module runs on a thread of its own: it shares no state with the service and must not import any plugin's
 * `plugin.ts`.
 */
export function defineTask<Run extends (payload: never) => unknown>(
  url: URL,
): WorkerTask<Parameters<Run>[0], Awaited<ReturnType<Run>>> {
  return { url }
}

export interface TaskOptions {
  /** Ends the task, also while it waits for a thread. */
  readonly signal?: AbortSignal
  /** How long it may run, waiting not counted, in milliseconds; a minute unless told otherwise. */
  readonly timeoutMs?: number
}

/** Runs work that would keep the event loop busy on a few threads, which start when they are needed. */
export interface Workers {
  /**
   * Runs a task on a free thread, or on the next one that gets free; first come, first served.
   * @throws WorkerTaskError if the task throws, takes too long, or brings its thread down
   * @throws AppError 503 when too many tasks wait already
   * @throws the signal's reason when it is aborted
   */
  run<Payload, Result>(
    task: WorkerTask<Payload, Result>,
    payload: Payload,
    options?: TaskOptions,
  ): Promise<Result>
  /**
   * Like `run`, for tasks that take minutes: they have a thread of their own, one after the other, so that short ones
   * need not wait for them.
   */
  runLong<Payload, Result>(
    task: WorkerTask<Payload, Result>,
    payload: Payload,
    options?: TaskOptions,
  ): Promise<Result>
}

export const workersService: ServiceToken<Workers> = service('workers')
