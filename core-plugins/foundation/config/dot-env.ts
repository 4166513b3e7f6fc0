import { randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { parseEnv } from 'node:util'
import type { Env } from './env-layer.ts'

export interface DotEnvOptions {
  readonly workingDirectory: string
}

/**
 * Creates a `.env` for development if none exists: SQLite and a random JWT secret. Returns whether it created one.
 */
export async function ensureDotEnv({ workingDirectory }: DotEnvOptions): Promise<boolean> {
  try {
    // Exclusive, so that a file created meanwhile is kept; readable by its owner only, as it contains a secret.
    await writeFile(resolve(workingDirectory, '.env'), firstDotEnv(), { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false
    throw error
  }
}

function firstDotEnv(): string {
  return [
    '# Created by the first `npm run dev`. docs/configuration.md lists what else can be set here.',
    'DATABASE_URL=sqlite:./data/content.db',
    `JWT_SECRET=${randomBytes(48).toString('base64url')}`,
    '',
  ].join('\n')
}

/** Returns the environment extended by `.env`, if it exists; variables already set take precedence. */
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

/** The environment of `start`. Production by default: development features must be asked for. */
export const startEnvironment = (env: Env): Env => ({ NODE_ENV: 'production', ...env })

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
