// @ts-check
import { prepare } from './service.mjs'

/** Translates the sources ahead of the first start, for building images. */
await prepare(process.cwd())
