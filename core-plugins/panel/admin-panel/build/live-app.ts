import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { type FSWatcher, rmSync, watch } from 'node:fs'
import { join } from 'node:path'
import { translatedFile } from '../../../foundation/config/config.ts'
import { sourceFolders } from './app-sources.ts'
import type { BuiltApp } from './built-app.ts'
import { type LiveAnswer, liveFolder } from './live-build.ts'
import { readStored } from './stored-app.ts'

/** The application during development. */
export interface LiveApp {
  /** The latest successful build. @throws Error with the problem in the sources, if none has succeeded */
  current(): Promise<BuiltApp>
  /** Calls the callback after each later build; returns a function to unsubscribe. */
  onBuilt(callback: () => void): () => void
  close(): Promise<void>
}

/**
 * Builds the application and rebuilds it after changes. It starts with the first call of `current`. Builds are stored on disk, so
 * a restarted service with unchanged sources builds nothing.
 */
export function createLiveApp(): LiveApp {
  const callbacks = new Set<() => void>()
  let app: BuiltApp | undefined
  let folder: string | undefined
  /** The last folder built by this process, which is deleted after the next build. */
  let ownFolder: string | undefined
  let watchers: readonly FSWatcher[] | undefined
  let builder: ChildProcess | undefined
  let building: Promise<void> | undefined
  let isOutdated = false

  /** Builds, and repeats if sources have changed meanwhile. */
  function build(): Promise<void> {
    isOutdated = true
    building ??= buildWhileOutdated().finally(() => {
      building = undefined
    })
    return building
  }

  async function buildWhileOutdated() {
    let failure: unknown
    while (isOutdated) {
      isOutdated = false
      failure = undefined
      await buildOnce().catch((error) => {
        failure = error
      })
    }
    if (failure !== undefined) throw failure
  }

  async function buildOnce() {
    const wanted = liveFolder()
    if (wanted === folder) return
    if (take(wanted)) return
    builder = startBuild()
    const built = await answerOf(builder)
    if (!take(built)) throw new Error(`the panel was built into ${built}, where it is no more`)
    ownFolder = built
  }

  /** Switches to the build in a folder; false if there is none. */
  function take(built: string): boolean {
    const stored = readStored(built)
    if (stored === undefined) return false
    if (ownFolder !== undefined && ownFolder !== built) rmSync(ownFolder, { recursive: true, force: true })
    ownFolder = undefined
    const isFirst = app === undefined
    app = stored
    folder = built
    if (!isFirst) for (const callback of callbacks) callback()
    return true
  }

  /** Failures are ignored here: requests for a page report the error, and open pages keep the previous build. */
  const buildAgain = () => void build().catch(() => {})

  return {
    async current() {
      watchers ??= sourceFolders.map((each) =>
        watch(each, { recursive: true, persistent: false }, buildAgain),
      )
      if (app === undefined) await (building ?? build())
      if (app === undefined) throw new Error('the panel has not been built')
      return app
    },
    onBuilt(callback) {
      callbacks.add(callback)
      return () => callbacks.delete(callback)
    },
    async close() {
      for (const watcher of watchers ?? []) watcher.close()
      builder?.kill()
    },
  }
}

/** Starts the build process with the same code translation as this process. */
const startBuild = () => fork(translatedFile(join(import.meta.dirname, 'run-live-build.ts')))

/** The folder with the result of a build process. @throws Error with the problem in the sources */
async function answerOf(builder: ChildProcess): Promise<string> {
  const ended = once(builder, 'exit').then(([code, signal]) => {
    throw new Error(`the build of the panel ended with ${signal ?? code}`)
  })
  ended.catch(() => undefined)
  const [answer] = (await Promise.race([once(builder, 'message'), ended])) as [LiveAnswer]
  if ('problem' in answer) throw new Error(answer.problem)
  return answer.folder
}
