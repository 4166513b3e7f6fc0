import { PassThrough, Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import pino from 'pino'
import { runCommandLine } from '../../cli/command-line.ts'
import type { ProcessLog } from '../../core-plugins/foundation/log/log.ts'
import type { ServiceOptions } from '../../service.ts'
import type { Project } from './project.ts'

/** How a command ended. */
export interface Ran {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

function logTo(stream: PassThrough, { LOG_LEVEL: level = 'warn' }: ServiceOptions['env']): ProcessLog {
  return pino({ level }, stream)
}

/** Runs a command of the command line in a project. */
export async function runCommand(project: Project, args: readonly string[], input = ''): Promise<Ran> {
  const output = new PassThrough()
  const errors = new PassThrough()
  const printed = Promise.all([text(output), text(errors)])
  const code = await runCommandLine(args, {
    workingDirectory: project.workingDirectory,
    env: { PATH: process.env.PATH, ...project.env },
    input: Readable.from([input]),
    output,
    errors,
    createLog: async (env) => logTo(errors, env),
    interruption: () => new AbortController().signal,
  })
  output.end()
  errors.end()
  const [stdout, stderr] = await printed
  return { code, stdout, stderr }
}
