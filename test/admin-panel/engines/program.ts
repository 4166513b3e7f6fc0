import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { type Output, watchOutput } from '../../support/process.ts'

/** Where a program is, or undefined where it is not installed. */
export const findProgram = (name: string): string | undefined =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path))

/** A program that runs beside the tests. */
export interface Program {
  readonly output: Output
  /** Resolves with what the pattern's first group has found in the output. @throws Error if that takes a minute */
  says(pattern: RegExp): Promise<string>
  end(): Promise<void>
}

const longestStartMs = 60_000

/** Starts a program in a group of its own: it ends with all processes that it has started. */
export function startProgram(
  file: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Program {
  const child = spawn(file, args, {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  process.once('exit', () => endGroup(child))
  const output = watchOutput(child)
  const ended = once(child, 'exit')
  const neverSaid = async (pattern: RegExp): Promise<never> => {
    await Promise.race([ended, setTimeout(longestStartMs, undefined, { ref: false })])
    throw new Error(`${file} does not say ${pattern}:\n${output.text()}`)
  }
  return {
    output,
    says: (pattern) => Promise.race([output.finds((text) => pattern.exec(text)?.[1]), neverSaid(pattern)]),
    async end() {
      endGroup(child)
      await ended
    },
  }
}

function endGroup({ pid }: ChildProcess) {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}
