// @ts-check
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { useTranslation } from './service.mjs'

/** `mortise prune` for images of this repository, which have no tsx to run the command line with. */
const find = await useTranslation(process.cwd())
const source = join(import.meta.dirname, '../cli/prune.ts')
const { prune } = await import(pathToFileURL(find(source)).href)
console.log(`Deleted ${Math.round(prune(import.meta.filename) / 1e6)} MB from node_modules`)
