import { existsSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { withEsbuild } from '../../../foundation/bundling/bundling.ts'
import { hashOfSources, rootFolder } from './app-sources.ts'
import type { BuiltApp } from './built-app.ts'
import { type Bundle, bundleOf, bundleOptions } from './bundle-app.ts'
import { hold, readStored, store } from './stored-app.ts'

/** Where `npm run build` puts the application in the package. */
const publishedFolder = join(import.meta.dirname, '../built')

const oldestMs = 7 * 24 * 60 * 60 * 1000

/**
 * Returns the application for the present sources: from the package, from the cache, or built now and cached. If nothing can be
 * written, it is kept in memory and built again at the next start.
 */
export async function buildApp(): Promise<BuiltApp> {
  const published = readStored(publishedFolder)
  if (published !== undefined) return published
  const folder = cacheFolder()
  const kept = readStored(folder)
  if (kept !== undefined) return kept
  const bundle = await bundleApp({ isLive: false })
  try {
    await store(bundle, folder)
    removeOld(folder)
    return readStored(folder) ?? (await hold(bundle))
  } catch {
    return hold(bundle)
  }
}

/** The cache folder of the application for the present sources. */
export const cacheFolder = (): string =>
  join(realpathSync(join(rootFolder, 'node_modules')), '.cache/mortise/panel', hashOfSources())

/** Bundles the sources; if live, without minifying them. @throws BuildFailure */
export const bundleApp = (options: { readonly isLive: boolean }): Promise<Bundle> =>
  withEsbuild(async ({ build }) =>
    bundleOf(await build({ ...bundleOptions(options), absWorkingDir: rootFolder })),
  )

/** Deletes cached builds of older sources, and leftovers of killed processes. */
export function removeOld(current: string) {
  const caches = dirname(current)
  for (const name of existsSync(caches) ? readdirSync(caches) : []) {
    const path = join(caches, name)
    const stats = statSync(path, { throwIfNoEntry: false })
    const isOld = stats !== undefined && Date.now() - stats.mtimeMs > oldestMs
    if (isOld && path !== current) rmSync(path, { recursive: true, force: true })
  }
}
