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
/** The panel is rebuilt without a restart. */
const panelApp = join(root, 'core-plugins/panel/admin-panel/app')
/** Scripts and styles that plugins add to the panel are bundled again without a restart, too. */
const isOfBrowsers = /\.(tsx|css)$/
const sourceFiles = isPackage(root) ? [] : ['server.ts', 'service.ts']

/**
 * The sources run through tsx, since translating all of them for each change would take longer.
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

/**
 * Interval in milliseconds at which files are checked: polling notices files that appear later, and works on every
 * file system.
 */
const intervalMs = 400

/** The parts of a project to watch before its service has reported its files. */
const usualFiles = ['schemas', 'plugins', 'routes', 'themes']
const configFiles = ['ts', 'mts', 'js', 'mjs', 'json'].map((extension) => `mortise.config.${extension}`)

/**
 * Runs the service of a project, and restarts it after each change, until SIGINT or SIGTERM. This process stays
 * small: it loads nothing of the service, which reports what to watch.
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
    // When the service has read nothing but its settings, and `.env` exists.
    const watched = await watchedBy(child, stop.signal)
    if (watched !== undefined) paths = pathsOf(watched)
    await changed(paths, stateOf(paths), stop.signal)
    await end(child)
  }
}

/**
 * The files that a service reports to consist of; undefined if it ends before.
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
    // In a process group of its own: otherwise it would receive Ctrl-C in addition to the signal sent here.
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

/**
 * A text that differs after any change to the files.
 * @param {readonly string[]} paths
 */
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
    // The folder has just been removed.
    return []
  }
}
