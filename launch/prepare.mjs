// @ts-check
import { join } from 'node:path'
import { findSources } from './sources.mjs'
import { translate } from './translate.mjs'

/** Translates the sources ahead of the first start, for building images. */
await translate(findSources({ root: join(import.meta.dirname, '..'), projectFolder: process.cwd() }))
