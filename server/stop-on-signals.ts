import { httpService } from '../core-plugins/foundation/http/http.ts'
import type { Kernel, Log } from '../kernel/index.ts'

const stopTimeoutMs = 10_000

/**
 * Stops the service on SIGTERM and SIGINT with exit code 0. An unhandled error of the service may leave it in any state, so it
 * stops with exit code 1; an error of a third-party plugin only concerns that plugin. SIGTERM usually means that another
 * process takes over, so requests are drained first; SIGINT, or a second signal, skips that. After 10 s the process exits anyway.
 * @returns a function that returns whether the service is stopping
 */
export function stopOnSignals(kernel: Kernel, log: Log): () => boolean {
  const hurry = new AbortController()
  let isStopping = false

  async function stop(exitCode: number) {
    if (isStopping) return
    isStopping = true
    setTimeout(() => {
      log.error({ stopTimeoutMs }, 'not everything stopped in time')
      process.exit(1)
    }, stopTimeoutMs).unref()
    await kernel.stop()
    process.exit(exitCode)
  }

  function crash(error: unknown) {
    if (kernel.takeUnhandled(error)) return
    log.error({ err: error }, 'unhandled error; the service is stopping')
    void stop(1)
  }

  function stopAtOnce(signal: NodeJS.Signals) {
    log.info({ signal }, 'stopping')
    hurry.abort()
    void stop(0)
  }

  async function drainAndStop() {
    log.info({ signal: 'SIGTERM' }, 'stopping')
    process.once('SIGTERM', stopAtOnce)
    await drain()
    await stop(0)
  }

  async function drain() {
    try {
      await kernel.get(httpService).drain(hurry.signal)
    } catch {
      // It was still starting, so there are no clients to drain.
    }
  }

  process.on('SIGINT', stopAtOnce)
  process.once('SIGTERM', drainAndStop)
  process.on('uncaughtException', crash)
  process.on('unhandledRejection', crash)
  return () => isStopping
}
