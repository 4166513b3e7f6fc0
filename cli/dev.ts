import { ensureDotEnv } from '../core-plugins/config/config.ts'
import { developService } from '../launch/dev.mjs'
import { sourceFolders } from './source-folders.ts'

/** `npm run dev`: creates a `.env` on the first run, and restarts the service after each change. */

const projectFolder = process.cwd()
const isFirstRun = await ensureDotEnv({ workingDirectory: projectFolder })
if (isFirstRun) console.log('Created .env: SQLite in ./data and a new JWT secret')

const folders = await sourceFolders({ workingDirectory: projectFolder, env: process.env })
const configFiles = ['ts', 'mts', 'js', 'mjs', 'json'].map((extension) => `mortise.config.${extension}`)
await developService({ projectFolder, watched: [...folders, ...configFiles] })
