import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { nearest } from '../../../kernel/index.ts'
import type { PluginSwitch } from '../../foundation/config/config.ts'
import type { Extension } from './define-extension.ts'
import { findPackage, type PackageManifest } from './find-package.ts'

/** A potential third-party plugin: its location, and its section of the project config. */
export interface Candidate {
  /** The project's name for it: the folder's name, or the path or package in the config file. */
  readonly name: string
  /** Absolute; undefined if there is nothing to load, which `problem` explains. */
  readonly file: string | undefined
  /** Passed in by the code that starts the service, in place of a file. */
  readonly exported?: Extension
  readonly problem?: string
  /** Whether it is in the plugins directory. */
  readonly isFolder: boolean
  /** The manifest of its package, if it is from another package. */
  readonly manifest?: PackageManifest
  /** Its section of the project config. */
  readonly config: Readonly<Record<string, unknown>>
  /** Why it is switched off, if so. */
  readonly disabled?: string
}

export interface CandidateOptions {
  /** Plugins that are passed in directly. */
  readonly given: readonly Extension[]
  readonly workingDirectory: string
  /** Absolute. */
  readonly pluginsDirectory: string
  /** Names with another meaning: a folder with such a name is referred to by its path. */
  readonly takenNames: readonly string[]
  /** The project config for plugins that are not core plugins, by name, path or package. */
  readonly switches: Readonly<Record<string, PluginSwitch>>
  /** Why plugins are switched off, by the same names. */
  readonly disabled: ReadonlyMap<string, string>
}

const pluginFiles = ['plugin.ts', 'plugin.js', 'plugin.mjs']

/** Lists the plugins passed in, those in the plugins directory in alphabetical order, then those that only the config names. */
export function findCandidates(options: CandidateOptions): Candidate[] {
  const { given, switches, disabled } = options
  const folders = pluginFolders(options.pluginsDirectory)
  const named = Object.keys(switches).filter(
    (key) => !folders.some((folder) => means(key, folder)) && !given.some(({ name }) => name === key),
  )
  return [
    ...given.map((exported) => ({
      name: exported.name,
      file: undefined,
      exported,
      isFolder: false,
      config: configIn(switches[exported.name]),
      ...reason(disabled.get(exported.name)),
    })),
    ...folders.map((folder) => folderCandidate(folder, options, means)),
    ...named.map((key) =>
      namedCandidate(
        key,
        options,
        folders.map((folder) => basename(folder)),
      ),
    ),
  ]

  function means(key: string, folder: string): boolean {
    return key === basename(folder) || (isPath(key) && resolve(options.workingDirectory, key) === folder)
  }
}

function pluginFolders(directory: string): string[] {
  if (!existsSync(directory)) return []
  return readdirSync(directory, { withFileTypes: true })
    .filter((entry) => !entry.name.startsWith('.') && (entry.isDirectory() || entry.isSymbolicLink()))
    .map((entry) => join(directory, entry.name))
    .filter((folder) => statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true)
    .sort()
}

type Means = (key: string, folder: string) => boolean

function folderCandidate(folder: string, options: CandidateOptions, means: Means): Candidate {
  const { switches, disabled, takenNames } = options
  const own = basename(folder)
  const name = takenNames.includes(own) ? `${basename(options.pluginsDirectory)}/${own}` : own
  const keys = Object.keys(switches).filter((key) => means(key, folder))
  const off = keys.map((key) => disabled.get(key)).find((reason) => reason !== undefined)
  const config = Object.assign({}, ...keys.map((key) => configIn(switches[key])))
  return { name, isFolder: true, ...located(folder), config, ...reason(off) }
}

function namedCandidate(name: string, options: CandidateOptions, folders: readonly string[]): Candidate {
  const { workingDirectory, switches, disabled, takenNames } = options
  const location = isPath(name)
    ? located(resolve(workingDirectory, name))
    : packaged(name, workingDirectory, nearest(name, [...takenNames, ...folders]))
  return {
    name,
    isFolder: false,
    ...location,
    config: configIn(switches[name]),
    ...reason(disabled.get(name)),
  }
}

type Location = Pick<Candidate, 'file' | 'problem' | 'manifest'>

function located(path: string): Location {
  if (!existsSync(path)) return { file: undefined, problem: 'does not exist' }
  if (statSync(path).isFile()) return { file: path }
  const file = pluginFiles.map((name) => join(path, name)).find((candidate) => existsSync(candidate))
  return file === undefined ? { file, problem: `holds no ${pluginFiles.join(', ')}` } : { file }
}

function packaged(name: string, workingDirectory: string, meant: string | undefined): Location {
  try {
    const found = findPackage(name, workingDirectory)
    if (found !== undefined) return { file: found.file, manifest: found.manifest }
    const remedy = meant === undefined ? `\`npm install ${name}\` installs it` : `did you mean ${meant}?`
    return { file: undefined, problem: `is neither a plugin nor an installed package; ${remedy}` }
  } catch (error) {
    return { file: undefined, problem: error instanceof Error ? error.message : String(error) }
  }
}

const isPath = (key: string) => /^\.{0,2}\//.test(key)

const reason = (disabled: string | undefined) => (disabled === undefined ? {} : { disabled })

const configIn = (value: PluginSwitch | undefined) => (typeof value === 'object' ? value : {})
