// @ts-check
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { isPackage, publishedFolders } from './sources.mjs'

const root = join(import.meta.dirname, '..')
const sourceFolders = isPackage(root) ? [] : publishedFolders.map((name) => join(root, name))
/** The panel is built again without a restart. */
const panelApp = join(root, 'core-plugins/panel/admin-panel/app')
/** What plugins add to the panel is bundled again without a restart, too. */
const isOfBrowsers = /\.(tsx|css)$/
const sourceFiles = isPackage(root) ? [] : ['server.ts', 'service.ts']

/**
 * The sources run through tsx, since a translation of all of them for each change would take longer.
 * @type {readonly string[]}
 */
const service = isPackage(root)
  ? [...endingWithParent('end-with-parent.js'), join(import.meta.dirname, 'start-developed.js')]
  : [
      ...endingWithParent('end-with-parent.mjs'),
      '--import',
      import.meta.resolve('tsx'),
      join(root, 'cli/developed.ts'),
    ]

/** @param {string} name */
function endingWithParent(name) {
  return ['--import', pathToFileURL(join(import.meta.dirname, name)).href]
}

/** How often files are looked at: this notices what appears later, and works on every file system. */
const intervalMs = 400

/** What is watched of a project before its service has said where everything is. */
const usualFiles = ['schemas', 'plugins', 'routes', 'themes']
const configFiles = ['ts', 'mts', 'js', 'mjs', 'json'].map((extension) => `mortise.config.${extension}`)

/**
 * Runs the service of a project, and starts it again after each change, until SIGINT or SIGTERM. This process stays small: it
 * loads nothing of the service, which tells it what to watch.
 * @param {string} projectFolder
 * @returns {Promise<void>} when the service has ended
 */
export async function developService(projectFolder) {
  const pathsOf = (/** @type {readonly string[]} */ watched) => [
    ...[...watched, ...configFiles, '.env'].map((path) => resolve(projectFolder, path)),
    ...sourceFolders,
    ...sourceFiles.map((name) => join(root, name)),
  ]
  let paths = pathsOf(usualFiles)
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => stop.abort())
  while (!stop.signal.aborted) {
    const child = start(projectFolder)
    // Before it has read anything but its settings, and when `.env` is there.
    const watched = await watchedBy(child, stop.signal)
    if (watched !== undefined) paths = pathsOf(watched)
    await changed(paths, stateOf(paths), stop.signal)
    await end(child)
  }
}

/**
 * What a service says that it is made of; undefined if it ends before.
 * @param {import('node:child_process').ChildProcess} child
 * @param {AbortSignal} signal
 * @returns {Promise<readonly string[] | undefined>}
 */
async function watchedBy(child, signal) {
  const ended = once(child, 'exit', { signal }).then(() => [undefined])
  const [message] = await Promise.race([once(child, 'message', { signal }), ended]).catch(() => [undefined])
  return message?.watched
}

/** @param {string} projectFolder */
function start(projectFolder) {
  return spawn(process.execPath, [...service], {
    cwd: projectFolder,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    // In a group of its own: it would take Ctrl-C as well as the signal that it gets here.
    detached: true,
    env: { NODE_ENV: 'development', ...process.env },
  })
}

/** @param {import('node:child_process').ChildProcess} child */
async function end(child) {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGINT')
  await once(child, 'exit')
}

/**
 * @param {readonly string[]} paths
 * @param {string} before
 * @param {AbortSignal} signal
 */
async function changed(paths, before, signal) {
  while (!signal.aborted && stateOf(paths) === before) {
    await setTimeout(intervalMs, undefined, { signal }).catch(() => undefined)
  }
}

/** Differs after any change of the files. @param {readonly string[]} paths */
const stateOf = (paths) => paths.flatMap((path) => [...stampsOf(path)]).join('\n')

/** @param {string} path @returns {Generator<string>} */
function* stampsOf(path) {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats === undefined || path === panelApp || isOfBrowsers.test(path)) return
  if (!stats.isDirectory()) yield `${path} ${stats.mtimeMs} ${stats.size}`
  else {
    for (const name of namesIn(path)) {
      if (name !== 'node_modules' && !name.startsWith('.')) yield* stampsOf(join(path, name))
    }
  }
}

/** @param {string} folder */
function namesIn(folder) {
  try {
    return readdirSync(folder)
  } catch {
    // It has just been removed.
    return []
  }
}
