// @ts-check
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { prune } from '../launch/prune.mjs'

/*
 * Run by npm after `npm ci` of this repository: nothing but Node is sure to work by then. Deletes half of what was installed, which
 * nothing here reads: binaries for other platforms, source maps of packages, and what is large of a few.
 */
const modules = join(import.meta.dirname, '../node_modules')

/** Pictures of countries, and the same code for other kinds of modules than those that are loaded here. */
const unread = [
  'world-countries/data',
  'world-countries/dist',
  'swagger-ui-dist/swagger-ui-es-bundle.js',
  '@redocly/config/lib-esm',
]

prune(import.meta.filename)
for (const path of unread) rmSync(join(modules, path), { recursive: true, force: true })
// With their types, directories that are linked here are not entered: those are ours.
for (const entry of readdirSync(modules, { recursive: true, withFileTypes: true })) {
  if (/\.(css|[cm]?[jt]s)\.map$/.test(entry.name)) rmSync(join(entry.parentPath, entry.name))
}
