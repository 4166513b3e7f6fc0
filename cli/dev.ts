import { spawn } from 'node:child_process'
import { watchFile } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { ensureDotEnv } from '../core-plugins/config/config.ts'
import { sourceFolders } from './source-folders.ts'

/** `npm run dev`: makes a `.env` the first time, and starts the service again after each change. */

const server = join(import.meta.dirname, '../server.ts')
const tsx = createRequire(import.meta.url).resolve('tsx/cli')

const workingDirectory = process.cwd()
const isFirstRun = await ensureDotEnv({ workingDirectory })
if (isFirstRun) console.log('Made .env: SQLite in ./data and a JWT secret of its own')

// Folders and no globs, which tsx resolves once: what is made later, such as the first plugin, would not be seen.
const watched = [...(await sourceFolders({ workingDirectory, env: process.env })), 'mortise.config.*']
const includes = watched.flatMap((path) => ['--include', path])
// In a group of its own, as the watcher takes Ctrl-C and the same signal passed on for a second request, to kill.
const child = spawn(process.execPath, [tsx, 'watch', '--clear-screen=false', ...includes, server], {
  stdio: ['pipe', 'inherit', 'inherit'],
  detached: true,
  env: { NODE_ENV: 'development', ...process.env },
})
// The watcher does not look at files whose name begins with a dot, but starts again at the Return key.
watchFile(join(workingDirectory, '.env'), { interval: 500 }, () => child.stdin.write('\n'))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
child.on('exit', (code) => process.exit(code ?? 1))
