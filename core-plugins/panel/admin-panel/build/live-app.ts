import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { type FSWatcher, rmSync, watch } from 'node:fs'
import { join } from 'node:path'
import { translatedFile } from '../../../foundation/config/config.ts'
import { sourceFolders } from './app-sources.ts'
import type { BuiltApp } from './built-app.ts'
import { type LiveAnswer, liveFolder } from './live-build.ts'
import { readStored } from './stored-app.ts'

/** The application while somebody works on it. */
export interface LiveApp {
  /** The newest one that could be built. @throws Error what is wrong with the sources, if none could be */
  current(): Promise<BuiltApp>
  /** Calls back after each further build; returns a function that ends that. */
  onBuilt(callback: () => void): () => void
  close(): Promise<void>
}

/**
 * Builds the application, and again whatever changes of it. Begins with the first call of `current`. What was built is
 * kept, so that a service that starts again with the same sources builds nothing before they change.
 */
export function createLiveApp(): LiveApp {
  const callbacks = new Set<() => void>()
  let app: BuiltApp | undefined
  let folder: string | undefined
  /** A folder that this process has had built, which nobody needs after the next one. */
  let ownFolder: string | undefined
  let watchers: readonly FSWatcher[] | undefined
  let builder: ChildProcess | undefined
  let building: Promise<void> | undefined
  let isOutdated = false

  /** Builds until nothing has changed meanwhile. */
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

  /** Shows what a folder holds; false if it holds nothing. */
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

  /** Whoever asks for a page is told why none could be built; who has one keeps it. */
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

/** Runs it the way that this process runs. */
const startBuild = () => fork(translatedFile(join(import.meta.dirname, 'run-live-build.ts')))

/** Where a process has built it. @throws Error what is wrong with the sources */
async function answerOf(builder: ChildProcess): Promise<string> {
  const ended = once(builder, 'exit').then(([code, signal]) => {
    throw new Error(`the build of the panel ended with ${signal ?? code}`)
  })
  ended.catch(() => undefined)
  const [answer] = (await Promise.race([once(builder, 'message'), ended])) as [LiveAnswer]
  if ('problem' in answer) throw new Error(answer.problem)
  return answer.folder
}
