// @ts-check
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { useTranslation } from './service.mjs'
import { isPackage } from './sources.mjs'

/** Translates the sources and builds the admin panel ahead of the first start, for building images. */
const root = join(import.meta.dirname, '..')
const find = await useTranslation(process.cwd())
if (!isPackage(root)) {
  const builder = find(join(root, 'core-plugins/panel/admin-panel/build/build-app.ts'))
  const { buildApp } = await import(pathToFileURL(builder).href)
  await buildApp()
}
