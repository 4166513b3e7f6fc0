import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { type Client, createClient, signIn } from './client.ts'
import { freePort } from './free-port.ts'
import { addressIn, watchOutput, withProject } from './process.ts'
import { adminEmail, adminPassword, type Project, type ProjectOptions } from './project.ts'

/** A service that `npm run dev` restarts after each change of its files, always at the same URL. */
export interface DevelopedService extends Client {
  readonly url: string
  readonly project: Project
  readonly admin: Client
}

const devScript = join(import.meta.dirname, '../../launch/develop.mjs')

/** Runs `work` with such a service, then stops it. */
export function withDevelopedService(
  options: ProjectOptions,
  work: (service: DevelopedService) => Promise<void>,
): Promise<void> {
  return withProject(options, async (project) => {
    const child = spawn(process.execPath, [devScript], {
      cwd: project.workingDirectory,
      env: { PATH: process.env.PATH, ...project.env, PORT: String(await freePort()) },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const exited = once(child, 'exit')
    try {
      const url = await watchOutput(child).finds(addressIn)
      const admin = await signIn(url, adminEmail, adminPassword)
      await work({ ...createClient(url), url, project, admin })
    } finally {
      child.kill('SIGTERM')
      await exited
    }
  })
}
