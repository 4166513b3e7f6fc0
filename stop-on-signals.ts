import type { Kernel, Log } from './kernel/index.ts'

const stopTimeoutMs = 10_000

/**
 * Stops the service on SIGTERM and SIGINT with exit code 0, and with 1 on an error that nobody handled: what
 * state it has left is unknown. What has not ended within 10 s is cut off.
 * @returns tells whether it is stopping
 */
export function stopOnSignals(kernel: Kernel, log: Log): () => boolean {
  let isStopping = false

  async function stop(exitCode: number) {
    if (isStopping) return
    isStopping = true
    setTimeout(() => {
      log.error({ stopTimeoutMs }, 'not everything has stopped in time')
      process.exit(1)
    }, stopTimeoutMs).unref()
    await kernel.stop()
    process.exit(exitCode)
  }

  function crash(error: unknown) {
    log.error({ err: error }, 'an error that nobody handled; the service stops')
    void stop(1)
  }

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      log.info({ signal }, 'stopping')
      void stop(0)
    })
  }
  process.on('uncaughtException', crash)
  process.on('unhandledRejection', crash)
  return () => isStopping
}
