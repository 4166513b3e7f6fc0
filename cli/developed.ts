import { ensureDotEnv } from '../core-plugins/foundation/config/config.ts'
import { sourceFolders } from './source-folders.ts'

/**
 * The service while its project is developed: makes `.env` on the first run, and tells the process that started it what to
 * watch. See launch/dev.mjs.
 */
const workingDirectory = process.cwd()
const isFirstRun = await ensureDotEnv({ workingDirectory })
if (isFirstRun) console.log('Created .env: SQLite in ./data and a new JWT secret')
process.send?.({ watched: await sourceFolders({ workingDirectory, env: process.env }) })
await import('../server.ts')
