import type { Kernel, Plugin } from '../../kernel/index.ts'
import { runService } from '../../testing/run-service.ts'
import { type Client, createClient } from './client.ts'
import { createProject, type ProjectOptions } from './project.ts'
import type { LogLine } from './recording-log.ts'

export interface StartOptions extends ProjectOptions {
  /** Plugins besides those in the project's files, with routes and names of their choice. */
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

/**
 * Starts a service with all core plugins in its own folder on a free port. Beyond what `mortise/testing` offers, it runs
 * on each database and shows its kernel. A new database is not empty unless `isFirstStart` says so, which saves time.
 */
export async function startService(options: StartOptions = {}): Promise<TestService> {
  const { plugins = [] } = options
  const { env, workingDirectory, remove } = await createProject({ isFirstStart: false, ...options })
  const running = await runService({ env, workingDirectory, plugins, remove })
  return { ...createClient(running.url), ...running, workingDirectory }
}
