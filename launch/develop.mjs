// @ts-check
import { developService } from './dev.mjs'

/** `npm run dev` of this repository. */
await developService(process.cwd())
