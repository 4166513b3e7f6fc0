import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { ensureDotEnv } from '../core-plugins/config/config.ts'

/** `npm run dev`: makes a `.env` the first time, and starts the service again after each change. */

const server = join(import.meta.dirname, '../server.ts')
const tsx = createRequire(import.meta.url).resolve('tsx/cli')
const watched = [
  'schemas/**/*.json',
  'plugins/**/*',
  'routes/**/*',
  'themes/**/*',
  'mortise.config.*',
  '.env',
]

const isFirstRun = await ensureDotEnv({ workingDirectory: process.cwd() })
if (isFirstRun) console.log('Made .env: SQLite in ./data and a JWT secret of its own')

const includes = watched.flatMap((glob) => ['--include', glob])
// In a group of its own, as the watcher takes Ctrl-C and the same signal passed on for a second request, to kill.
const child = spawn(process.execPath, [tsx, 'watch', '--clear-screen=false', ...includes, server], {
  stdio: ['ignore', 'inherit', 'inherit'],
  detached: true,
  env: { NODE_ENV: 'development', ...process.env },
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
child.on('exit', (code) => process.exit(code ?? 1))
