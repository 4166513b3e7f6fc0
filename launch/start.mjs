// @ts-check
import { startService } from './service.mjs'

/** `npm start`. */
await startService(process.cwd())
