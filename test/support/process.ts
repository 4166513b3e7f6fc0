import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { type Client, createClient, signIn } from './client.ts'
import { adminEmail, adminPassword, createProject, type Project, type ProjectOptions } from './project.ts'

/** How a process ended. */
export interface Exit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/** A service in a process of its own, started as an operator would. */
export interface ServiceProcess {
  readonly process: ChildProcess
  /** Resolves with its address once it is ready. @throws Error with its output if it ends before */
  ready(): Promise<string>
  /** Signed in as the first super-admin, once it is ready. */
  signIn(): Promise<Client>
  /** Sends a signal and waits for the end. */
  end(signal: NodeJS.Signals): Promise<Exit>
  readonly exited: Promise<Exit>
  /** What it has written so far, to stdout and stderr. */
  output(): string
}

export interface ProcessOptions {
  readonly project: Project
  readonly env?: Readonly<Record<string, string>>
}

export const serverFile = join(import.meta.dirname, '../../server.ts')

/** Starts a process of the service in a project; does not wait for it. */
export function startProcess({ project, env = {} }: ProcessOptions): ServiceProcess {
  const child = spawn(process.execPath, ['--import', import.meta.resolve('tsx'), serverFile], {
    cwd: project.workingDirectory,
    env: { PATH: process.env.PATH, ...project.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = once(child, 'exit').then(([code, signal]): Exit => ({ code, signal }))
  let output = ''
  const announced = new Promise<string>((resolve) => {
    const read = (chunk: Buffer) => {
      output += chunk
      const url = /Mortise is up at (\S+?)"?[\s,]/.exec(output)?.[1]
      if (url !== undefined) resolve(url)
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
  })
  const ended = exited.then(({ code, signal }): never => {
    throw new Error(`the service ended with ${code ?? signal}:\n${output}`)
  })
  ended.catch(() => undefined)
  const ready = async () => {
    const url = await Promise.race([announced, ended])
    const { status } = await createClient(url).get('/api/readyz')
    if (status !== 200) throw new Error(`the service is up and not ready: ${status}`)
    return url
  }
  return {
    process: child,
    ready,
    signIn: async () => signIn(await ready(), adminEmail, adminPassword),
    end(signal) {
      child.kill(signal)
      return exited
    },
    exited,
    output: () => output,
  }
}

/** A project that is removed after the test, whatever becomes of it. */
export async function withProject<T>(options: ProjectOptions, work: (project: Project) => Promise<T>) {
  const project = await createProject(options)
  try {
    return await work(project)
  } finally {
    await project.remove()
  }
}
