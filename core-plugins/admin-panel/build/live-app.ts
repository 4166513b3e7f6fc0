import { type FSWatcher, watch } from 'node:fs'
import type { BuildContext, BuildResult, Plugin } from 'esbuild'
import { rootFolder, sourceFolders } from './app-sources.ts'
import { cacheFolder, removeOld } from './build-app.ts'
import type { BuiltApp } from './built-app.ts'
import { type Bundle, bundleOf, bundleOptions } from './bundle-app.ts'
import { holdPlain, readStored, storePlain } from './stored-app.ts'

/** The application while somebody works on it. */
export interface LiveApp {
  /** The newest one that could be built. @throws Error what is wrong with the sources, if none could be */
  current(): Promise<BuiltApp>
  /** Calls back after each further build; returns a function that ends that. */
  onBuilt(callback: () => void): () => void
  close(): Promise<void>
}

type Result = BuildResult<ReturnType<typeof bundleOptions>>

/**
 * Builds the application, and again whatever changes of it. Begins with the first call of `current`. What was built is
 * kept, so that a service that starts again with the same sources builds nothing before they change.
 */
export function createLiveApp(): LiveApp {
  const callbacks = new Set<() => void>()
  let app: BuiltApp | undefined
  let context: Promise<BuildContext> | undefined
  let firstBuild: Promise<void> | undefined
  let watchers: readonly FSWatcher[] = []

  function take(result: Result) {
    if (result.errors.length > 0) return
    app = holdPlain(bundleOf(result))
    for (const callback of callbacks) callback()
  }

  async function begin() {
    const folder = liveFolder()
    app = readStored(folder)
    if (app === undefined) return keep(await build(), folder)
    watchers = sourceFolders.map((each) => watch(each, { recursive: true, persistent: false }, buildAgain))
  }

  /** At the first change; from then on, esbuild watches. */
  function buildAgain() {
    if (context !== undefined) return
    for (const watcher of watchers) watcher.close()
    firstBuild = build().then(() => undefined)
    // Whoever asks for a page is told.
    firstBuild.catch(() => undefined)
  }

  async function build() {
    const esbuild = await import('esbuild')
    const options = bundleOptions({ isLive: true })
    const taking: Plugin = {
      name: 'taking',
      setup: ({ onEnd }) => onEnd((result) => take(result as Result)),
    }
    context = esbuild.context({
      ...options,
      plugins: [...options.plugins, taking],
      absWorkingDir: rootFolder,
    })
    const result = await (await context).rebuild()
    await (await context).watch()
    return bundleOf(result as Result)
  }

  return {
    async current() {
      firstBuild ??= begin()
      try {
        await firstBuild
      } catch (error) {
        firstBuild = undefined
        throw error
      }
      if (app === undefined) throw new Error('the panel has not been built')
      return app
    },
    onBuilt(callback) {
      callbacks.add(callback)
      return () => callbacks.delete(callback)
    },
    async close() {
      for (const watcher of watchers) watcher.close()
      await (await context)?.dispose()
    },
  }
}

const liveFolder = () => `${cacheFolder()}-live`

/** Where nothing can be written, the next start builds it again. */
function keep(bundle: Bundle, folder: string) {
  try {
    storePlain(bundle, folder)
    removeOld(folder)
  } catch {}
}
