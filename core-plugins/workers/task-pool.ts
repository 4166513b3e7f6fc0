import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Piscina } from 'piscina'
import { translatedFile } from '../config/config.ts'
import { AppError } from '../http/http.ts'
import { WorkerTaskError } from './worker-task-error.ts'
import type { TaskOptions, Workers, WorkerTask } from './workers.ts'

export interface PoolOptions {
  readonly maxThreads: number
  readonly maxQueue: number
}

export interface TaskPool extends Pick<Workers, 'run'> {
  /** Ends all threads, whatever they are doing. */
  close(): Promise<void>
}

const defaultTimeoutMs = 60_000
const idleTimeoutMs = 30_000

/** Of one thread, in MiB. What native code allocates does not count. */
const resourceLimits = { maxOldGenerationSizeMb: 512 }

/** Lower priority than the event loop has, where the machine is busy. */
const niceIncrement = 10

/**
 * Tasks wait here and not in Piscina, which forgets about those that wait when the last of its threads crashes.
 */
export function createTaskPool({ maxThreads, maxQueue }: PoolOptions): TaskPool {
  const waiting: (() => void)[] = []
  let running = 0
  let piscina: Promise<Piscina> | undefined

  function start(): Promise<Piscina> {
    piscina ??= import('piscina').then(
      ({ Piscina }) =>
        new Piscina({
          filename: fileURLToPath(new URL('./worker.mjs', import.meta.url)),
          minThreads: 0,
          maxThreads,
          idleTimeout: idleTimeoutMs,
          // A thread inherits options that the service was started with, such as loaders that this one has no use for.
          execArgv: [],
          resourceLimits,
          niceIncrement,
        }),
    )
    return piscina
  }

  function waitForThread(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted()
    if (running < maxThreads) {
      running++
      return Promise.resolve()
    }
    if (waiting.length >= maxQueue) throw tooBusy()
    return new Promise((resolve, reject) => {
      const begin = () => {
        signal?.removeEventListener('abort', give)
        resolve()
      }
      const give = () => {
        waiting.splice(waiting.indexOf(begin), 1)
        reject(signal?.reason)
      }
      signal?.addEventListener('abort', give, { once: true })
      waiting.push(begin)
    })
  }

  /** The thread goes to the next task, if there is one. */
  function release() {
    const next = waiting.shift()
    if (next === undefined) running--
    else next()
  }

  async function run<Payload, Result>(
    task: WorkerTask<Payload, Result>,
    payload: Payload,
    { signal, timeoutMs = defaultTimeoutMs }: TaskOptions = {},
  ): Promise<Result> {
    await waitForThread(signal)
    const timeout = AbortSignal.timeout(timeoutMs)
    try {
      const pool = await start()
      const url = pathToFileURL(translatedFile(fileURLToPath(task.url))).href
      const signals = signal === undefined ? timeout : AbortSignal.any([signal, timeout])
      return await pool.run({ url, payload }, { signal: signals })
    } catch (error) {
      signal?.throwIfAborted()
      throw failureOf(task, error, timeout.aborted ? timeoutMs : undefined)
    } finally {
      release()
    }
  }

  return {
    run,
    async close() {
      await (await piscina)?.destroy()
    },
  }
}

function failureOf({ url }: { readonly url: URL }, error: unknown, exceededMs: number | undefined) {
  const name = url.pathname.split('/').at(-1)
  if (exceededMs !== undefined) {
    return new WorkerTaskError('timed out', `${name} took longer than ${exceededMs} ms`, { cause: error })
  }
  const reason = isCrash(error) ? 'crashed' : 'threw'
  const message = error instanceof Error ? error.message : String(error)
  return new WorkerTaskError(reason, `${name} failed: ${message}`, { cause: error })
}

/** Piscina's own words for a thread that ended, and Node's for one that ran out of memory. */
function isCrash(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code } = error as NodeJS.ErrnoException
  return code === 'ERR_WORKER_OUT_OF_MEMORY' || error.message.startsWith('worker exited')
}

function tooBusy(): AppError {
  return new AppError('UNAVAILABLE', 'too much work is waiting; try again soon', {
    headers: { 'retry-after': '5' },
  })
}
