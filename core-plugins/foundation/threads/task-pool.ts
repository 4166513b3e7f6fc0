import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Piscina } from 'piscina'
import { anySignal, describeProblem, nativePackageProblem } from '../../../kernel/index.ts'
import { translatedFile } from '../config/config.ts'
import { AppError } from '../http/http.ts'
import { ThreadTaskError } from './thread-task-error.ts'
import type { TaskOptions, Threads, ThreadTask } from './threads.ts'

export interface PoolOptions {
  readonly maxThreads: number
  readonly maxQueue: number
}

export interface TaskPool extends Pick<Threads, 'run'> {
  /** Terminates all threads, even busy ones. Waiting callers get an error saying that the service is stopping. */
  close(): Promise<void>
}

const defaultTimeoutMs = 60_000
const idleTimeoutMs = 30_000

/** Per thread, in MiB. Memory allocated by native code is not counted. */
const resourceLimits = { maxOldGenerationSizeMb: 512 }

/** Gives threads a lower priority than the event loop on a busy machine. */
const niceIncrement = 10

/**
 * Tasks are queued here and not in Piscina, which drops queued tasks when the last of its threads crashes.
 */
export function createTaskPool({ maxThreads, maxQueue }: PoolOptions): TaskPool {
  const waiting: (() => void)[] = []
  let running = 0
  let piscina: Promise<Piscina> | undefined
  let isClosed = false

  function start(): Promise<Piscina> {
    piscina ??= import('piscina').then(
      ({ Piscina }) =>
        new Piscina({
          filename: fileURLToPath(new URL('./run-task.cjs', import.meta.url)),
          minThreads: 0,
          maxThreads,
          idleTimeout: idleTimeoutMs,
          // Otherwise a thread would inherit the service's options, such as loaders that it does not need.
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

  /** Gives the thread to the next waiting task, if any. */
  function release() {
    const next = waiting.shift()
    if (next === undefined) running--
    else next()
  }

  async function run<Payload, Result>(
    task: ThreadTask<Payload, Result>,
    payload: Payload,
    { signal, timeoutMs = defaultTimeoutMs }: TaskOptions = {},
  ): Promise<Result> {
    if (isClosed) throw stopping()
    await waitForThread(signal)
    const timeout = AbortSignal.timeout(timeoutMs)
    try {
      const pool = await start()
      const url = pathToFileURL(translatedFile(fileURLToPath(task.url))).href
      return await pool.run({ url, payload }, { signal: anySignal(signal, timeout) })
    } catch (error) {
      signal?.throwIfAborted()
      if (isClosed) throw stopping()
      throw failureOf(task, error, timeout.aborted ? timeoutMs : undefined)
    } finally {
      release()
    }
  }

  return {
    run,
    async close() {
      isClosed = true
      await (await piscina)?.destroy()
    },
  }
}

function failureOf({ url }: { readonly url: URL }, error: unknown, exceededMs: number | undefined) {
  const name = url.pathname.split('/').at(-1)
  if (exceededMs !== undefined) {
    return new ThreadTaskError('timed out', `${name} took longer than ${exceededMs} ms`, { cause: error })
  }
  const problem = nativePackageProblem(error)
  if (problem !== undefined) {
    const message = `${name} cannot run here: ${describeProblem(problem).trim()}`
    return new ThreadTaskError('unloadable', message, { cause: error })
  }
  const reason = isCrash(error) ? 'crashed' : 'threw'
  const message = error instanceof Error ? error.message : String(error)
  return new ThreadTaskError(reason, `${name} failed: ${message}`, { cause: error })
}

/** Recognises Piscina's message for a thread that ended, and Node's for one that ran out of memory. */
function isCrash(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code } = error as NodeJS.ErrnoException
  return code === 'ERR_WORKER_OUT_OF_MEMORY' || error.message.startsWith('worker exited')
}

const stopping = () => new AppError('UNAVAILABLE', 'the service is stopping', { reason: 'stopping' })

function tooBusy(): AppError {
  return new AppError('UNAVAILABLE', 'too much work is waiting; try again soon', {
    reason: 'queue_full',
    headers: { 'retry-after': '5' },
  })
}
