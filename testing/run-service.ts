import { httpService } from '../core-plugins/foundation/http/http.ts'
import type { Kernel } from '../kernel/index.ts'
import { createService, type ServiceOptions } from '../service.ts'
import { signIn, type TestClient } from './client.ts'
import { testAdmin } from './environment.ts'
import { type LogLine, recordingLog } from './recording-log.ts'

export interface RunOptions extends Omit<ServiceOptions, 'log'> {
  /** Removes the files and databases of the service; called once, after its stop or a failed start. */
  remove(): Promise<void>
}

/** A service that runs in this process. */
export interface RunningService {
  readonly kernel: Kernel
  readonly url: string
  readonly apiPrefix: string
  /** A client signed in as the first super-admin. */
  readonly admin: TestClient
  readonly logLines: readonly LogLine[]
  /** Stops the service and removes its files and databases; further calls wait for the same stop. */
  stop(): Promise<void>
}

/** @throws StartupError if the service cannot start */
export async function runService({ remove, ...options }: RunOptions): Promise<RunningService> {
  const { log, lines: logLines } = recordingLog()
  try {
    const kernel = await createService({ ...options, log: { ...log, level: 'info' } })
    await kernel.start()
    const { url, apiPrefix } = kernel.get(httpService)
    let stopped: Promise<void> | undefined
    const stop = () => {
      stopped ??= kernel.stop().finally(remove)
      return stopped
    }
    const admin = await signIn(
      url,
      testAdmin.email,
      testAdmin.password,
      `${apiPrefix}/admin/auth/login`,
    ).catch(async (error) => {
      await kernel.stop()
      throw error
    })
    return { kernel, url, apiPrefix, admin, logLines, stop }
  } catch (error) {
    await remove()
    throw error
  }
}
