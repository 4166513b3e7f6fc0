import { setTimeout as delay } from 'node:timers/promises'
import type { ServerProcess } from '../../../bench/server-process.ts'
import { type ServiceOptions, startService } from '../../../bench/service.ts'

/** A process of the service that dies, freezes and comes back. */
export interface FaultyProcess {
  /** Where it is now; undefined while it is gone. */
  readonly url: string | undefined
  /** Kills it, and starts another one in its place. */
  replace(): Promise<void>
  /** Stops it from doing anything for a while. */
  freeze(ms: number): Promise<void>
  stop(): Promise<void>
}

export async function startFaulty(options: ServiceOptions): Promise<FaultyProcess> {
  let process: ServerProcess | undefined = await startService(options)

  const signal = (name: NodeJS.Signals) => {
    if (process?.pid !== undefined) globalThis.process.kill(process.pid, name)
  }
  return {
    get url() {
      return process?.url
    },
    async replace() {
      const dying = process
      signal('SIGKILL')
      process = undefined
      await dying?.stop()
      process = await startService(options)
    },
    async freeze(ms) {
      signal('SIGSTOP')
      await delay(ms)
      signal('SIGCONT')
    },
    async stop() {
      signal('SIGCONT')
      await process?.stop()
    },
  }
}
