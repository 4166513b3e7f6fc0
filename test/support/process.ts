import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { after } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { type Client, createClient, signIn } from './client.ts'
import { adminEmail, adminPassword, createProject, type Project, type ProjectOptions } from './project.ts'

/** How a process ended. */
export interface Exit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/** A service in a process of its own, started as an operator would start it. */
export interface ServiceProcess {
  readonly process: ChildProcess
  /** Resolves with its address once it is ready. @throws Error with its output if it exits before */
  ready(): Promise<string>
  /** Signed in as the first super-admin, once it is ready. */
  signIn(): Promise<Client>
  /** Sends a signal and waits for the exit. */
  end(signal: NodeJS.Signals): Promise<Exit>
  readonly exited: Promise<Exit>
  /** Its output so far, stdout and stderr. */
  output(): string
  /** Resolves when the output contains a text. */
  writes(text: string): Promise<void>
}

export interface ProcessOptions {
  readonly project: Project
  /** Added to the project's environment; undefined removes a variable. */
  readonly env?: Readonly<Record<string, string | undefined>>
}

const startFile = join(import.meta.dirname, '../../launch/start.mjs')

/** Starts a process of the service in a project, as `npm start` does, without waiting for it. */
export function startProcess({ project, env = {} }: ProcessOptions): ServiceProcess {
  const child = spawn(process.execPath, [startFile], {
    cwd: project.workingDirectory,
    env: { PATH: process.env.PATH, ...project.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.set(project, [...(running.get(project) ?? []), child])
  const exited = once(child, 'exit').then(([code, signal]): Exit => ({ code, signal }))
  const output = watchOutput(child)
  const ended = exited.then(({ code, signal }): never => {
    throw new Error(`the service ended with ${code ?? signal}:\n${output.text()}`)
  })
  ended.catch(() => undefined)
  const ready = async () => {
    const url = await Promise.race([output.finds(addressIn), ended, tooLate(output)])
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
    output: output.text,
    async writes(text) {
      await output.finds((written) => (written.includes(text) ? text : undefined))
    },
  }
}

/** The output of a process, stdout and stderr. */
export interface Output {
  /** All output so far. */
  text(): string
  /** Resolves with the first defined result of `find`, now or later. */
  finds(find: (text: string) => string | undefined): Promise<string>
}

/** Collects a process's output. */
export function watchOutput({ stdout, stderr }: ChildProcess): Output {
  let text = ''
  const readers = new Set<() => void>()
  for (const stream of [stdout, stderr]) {
    stream?.on('data', (chunk) => {
      text += chunk
      for (const read of readers) read()
    })
  }
  return {
    text: () => text,
    finds(find) {
      return new Promise((resolve) => {
        const read = () => {
          const found = find(text)
          if (found === undefined) return
          readers.delete(read)
          resolve(found)
        }
        readers.add(read)
        read()
      })
    },
  }
}

/** The address that a service announced last. */
export const addressIn = (text: string) =>
  [...text.matchAll(/Mortise is up at (http[^\s"]+)["\s]/g)].at(-1)?.[1]

/** Long, since only a hanging process reaches it and machines may be busy. */
const startTimeoutMs = 300_000

/** Fails with the output, which shows whether the process hangs or is slow. */
async function tooLate(output: Output): Promise<never> {
  await setTimeout(startTimeoutMs, undefined, { ref: false })
  throw new Error(`the service is not up after ${startTimeoutMs} ms:\n${output.text()}`)
}

const running = new Map<Project, ChildProcess[]>()

// A process left running by a failed test would keep its file from ending.
after(() => Promise.all([...running.values()].flat().map(kill)))

/** A project that is removed after the test, together with all its processes. */
export async function withProject<T>(options: ProjectOptions, work: (project: Project) => Promise<T>) {
  const project = await createProject(options)
  try {
    return await work(project)
  } finally {
    await Promise.all((running.get(project) ?? []).map(kill))
    await project.remove()
  }
}

async function kill(child: ChildProcess) {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}
