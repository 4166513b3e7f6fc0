import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Project } from './project.ts'
import { scriptArguments } from './script.ts'

const cli = join(import.meta.dirname, '../../cli/mortise.ts')

/** How a command ended. */
export interface Ran {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs a command of the command line in a project, as a process of its own. */
export async function runCommand(project: Project, args: readonly string[], input = ''): Promise<Ran> {
  const child = spawn(process.execPath, [...scriptArguments(cli), ...args], {
    cwd: project.workingDirectory,
    env: { PATH: process.env.PATH, ...project.env },
  })
  child.stdin.end(input)
  const [stdout, stderr, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve) => child.on('close', resolve)),
  ])
  return { code, stdout, stderr }
}
