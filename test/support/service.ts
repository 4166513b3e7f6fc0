import { httpService } from '../../core-plugins/http/http.ts'
import type { Kernel, Plugin } from '../../kernel/index.ts'
import { createService } from '../../service.ts'
import { type Client, createClient, signIn } from './client.ts'
import { adminEmail, adminPassword, createProject, type ProjectOptions } from './project.ts'
import { type LogLine, recordingLog } from './recording-log.ts'

export interface StartOptions extends ProjectOptions {
  /** Third-party plugins besides those in the project's files. */
  readonly plugins?: readonly Plugin[]
}

/** A service that runs in the test's process. */
export interface TestService extends Client {
  /** `http://127.0.0.1:40000` */
  readonly url: string
  readonly kernel: Kernel
  readonly workingDirectory: string
  /** Signed in as the first super-admin; requests of the service object itself are anonymous. */
  readonly admin: Client
  readonly logLines: readonly LogLine[]
  /** Stops the service and removes its files and database. */
  stop(): Promise<void>
}

/** Starts a service with all core plugins in its own folder on a free port. */
export async function startService(options: StartOptions = {}): Promise<TestService> {
  const { plugins = [] } = options
  const project = await createProject(options)
  const { env, workingDirectory } = project
  const { log, lines: logLines } = recordingLog()
  try {
    const kernel = await createService({ env, workingDirectory, plugins, log: { ...log, level: 'info' } })
    await kernel.start()
    const { url } = kernel.get(httpService)
    const stop = async () => {
      await kernel.stop()
      await project.remove()
    }
    const admin = await signIn(url, adminEmail, adminPassword)
    return { ...createClient(url), url, kernel, workingDirectory, admin, logLines, stop }
  } catch (error) {
    await project.remove()
    throw error
  }
}
