import { spawn } from 'node:child_process'
import { watchFile } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { ensureDotEnv } from '../core-plugins/config/config.ts'
import { sourceFolders } from './source-folders.ts'

/** `npm run dev`: creates a `.env` on the first run, and restarts the service after each change. */

const server = join(import.meta.dirname, '../server.ts')
const tsx = createRequire(import.meta.url).resolve('tsx/cli')

const workingDirectory = process.cwd()
const isFirstRun = await ensureDotEnv({ workingDirectory })
if (isFirstRun) console.log('Created .env: SQLite in ./data and a new JWT secret')

// Folders, not globs: tsx resolves globs once and would miss anything created later, such as the first
// plugin.
const watched = [...(await sourceFolders({ workingDirectory, env: process.env })), 'mortise.config.*']
const includes = watched.flatMap((path) => ['--include', path])
// In its own process group: the watcher takes Ctrl-C followed by the forwarded signal for a second request,
// and kills.
const child = spawn(process.execPath, [tsx, 'watch', '--clear-screen=false', ...includes, server], {
  stdio: ['pipe', 'inherit', 'inherit'],
  detached: true,
  env: { NODE_ENV: 'development', ...process.env },
})
// The watcher ignores dotfiles, but restarts when Return is pressed.
watchFile(join(workingDirectory, '.env'), { interval: 500 }, () => child.stdin.write('\n'))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
child.on('exit', (code) => process.exit(code ?? 1))
