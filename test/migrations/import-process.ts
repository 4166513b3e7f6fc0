import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Project } from '../support/project.ts'
import { commandLine } from '../support/script.ts'

/** A command as a process of its own, which can be killed. */
export function startImport({ workingDirectory, env }: Project, command: readonly string[]): ChildProcess {
  return spawn(process.execPath, [commandLine, ...command], {
    cwd: workingDirectory,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

/** The report of an import that ends by itself. */
export async function importedBy(child: ChildProcess): Promise<{ counts: unknown[]; problems: unknown[] }> {
  const texts = { out: '', errors: '' }
  child.stdout?.on('data', (piece) => {
    texts.out += piece
  })
  child.stderr?.on('data', (piece) => {
    texts.errors += piece
  })
  const [code] = await once(child, 'close')
  assert.equal(code, 0, texts.errors + texts.out)
  return JSON.parse(texts.out)
}
