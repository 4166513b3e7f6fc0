import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { parseEnv } from 'node:util'
import type { Env } from './env-layer.ts'

export interface DotEnvOptions {
  readonly workingDirectory: string
}

/**
 * Makes a `.env` for development if there is none: SQLite and a random JWT secret.
 * Answers whether it made one.
 */
export async function ensureDotEnv({ workingDirectory }: DotEnvOptions): Promise<boolean> {
  try {
    // Exclusive, so that a file made meanwhile is kept; readable by its owner only, as it holds a secret.
    await writeFile(resolve(workingDirectory, '.env'), firstDotEnv(), { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false
    throw error
  }
}

function firstDotEnv(): string {
  return [
    '# Made by the first `npm run dev`. docs/configuration.md tells what else can stand here.',
    'DATABASE_URL=sqlite:./data/content.db',
    `JWT_SECRET=${randomBytes(48).toString('base64url')}`,
    '',
  ].join('\n')
}

/** The environment with what `.env` adds to it, if there is one; variables that are set already win. */
export async function loadDotEnv({
  workingDirectory,
  env,
}: DotEnvOptions & { readonly env: Env }): Promise<Env> {
  try {
    return { ...parseEnv(await readFile(resolve(workingDirectory, '.env'), 'utf8')), ...env }
  } catch (error) {
    if (isCode(error, 'ENOENT')) return env
    throw error
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
