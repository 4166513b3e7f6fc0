// @ts-check
import { startService } from './service.mjs'

/** The service of `mortise dev`, in the installed package. */
await startService(process.cwd(), 'cli/developed')
