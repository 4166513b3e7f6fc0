import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export interface ProcessesOptions {
  readonly script: URL
  readonly args: readonly string[]
  readonly count: number
  /** Working directory. */
  readonly folder: string
  readonly env: Readonly<Record<string, string>>
}

/** Starts processes one after the other, waiting until each reports that it is ready. */
export async function startProcesses(options: ProcessesOptions): Promise<{ stop(): Promise<void> }> {
  const children: ChildProcess[] = []
  for (let index = 0; index < options.count; index += 1) children.push(await startOne(options))
  return {
    async stop() {
      await Promise.all(children.map(stopOne))
    },
  }
}

async function startOne({ script, args, folder, env }: ProcessesOptions): Promise<ChildProcess> {
  const child = fork(fileURLToPath(script), args, {
    execArgv: ['--import', import.meta.resolve('tsx')],
    cwd: folder,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`${fileURLToPath(script)} ended with ${code} before it was ready`)
  })
  await Promise.race([once(child, 'message'), ended])
  ended.catch(() => undefined)
  return child
}

async function stopOne(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  await exited
}
