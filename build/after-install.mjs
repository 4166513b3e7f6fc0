// @ts-check
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { prune } from '../launch/prune.mjs'

/*
 * Run by npm after `npm ci` of this repository, when nothing but Node is certain to work. Deletes half of what was
 * installed, which nothing here reads: binaries for other platforms, source maps of packages, and large parts of a
 * few packages.
 */
const modules = join(import.meta.dirname, '../node_modules')

/** Maps of countries, and builds of the same code for module systems that are not used here. */
const unread = [
  'world-countries/data',
  'world-countries/dist',
  'swagger-ui-dist/swagger-ui-es-bundle.js',
  '@redocly/config/lib-esm',
]

prune(import.meta.filename)
for (const path of unread) rmSync(join(modules, path), { recursive: true, force: true })
// With `withFileTypes`, linked directories are not entered: those are our own workspaces.
for (const entry of readdirSync(modules, { recursive: true, withFileTypes: true })) {
  if (/\.(css|[cm]?[jt]s)\.map$/.test(entry.name)) rmSync(join(entry.parentPath, entry.name))
}
