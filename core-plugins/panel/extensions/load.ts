import { basename } from 'node:path'
import { definePlugin, type Plugin } from '../../../kernel/index.ts'
import {
  importFile,
  importFromPackage,
  type ProjectConfig,
  readEarly,
} from '../../foundation/config/config.ts'
import type { Candidate } from './candidates.ts'
import { type OwnSettings, settingsOf } from './config-schema.ts'
import type { Extension } from './define-extension.ts'
import { checkEngines, checkPackage } from './engines.ts'
import { checkManifest } from './manifest.ts'
import { mountPlugin } from './mount.ts'
import { checkPluginConfig, createOwnConfig, type OwnConfig } from './plugin-config.ts'
import { pluginListenerTimeoutMs } from './settings.ts'

/** A candidate after an attempt to load it. */
export interface Loaded {
  /** If loading failed, a placeholder with the candidate's name for lists. */
  readonly plugin: Plugin
  /** Undefined if it cannot run. */
  readonly config?: OwnConfig
  /** Why it cannot run. */
  readonly failure?: string
}

export interface LoadOptions {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly workingDirectory: string
  readonly projectConfig: ProjectConfig
  /** Names that a third-party plugin cannot have. */
  readonly takenNames: readonly string[]
}

/** Imports a plugin and checks its manifest and its section of the project config. Never rejects. */
export async function loadCandidate(candidate: Candidate, options: LoadOptions): Promise<Loaded> {
  const { name, file, manifest, exported, problem = 'does not exist' } = candidate
  if (exported !== undefined) return checkExtension(exported, candidate, options)
  if (file === undefined) return { plugin: standIn(name), failure: problem }
  try {
    const misfits = manifest === undefined ? [] : checkPackage(manifest)
    if (misfits.length > 0) return { plugin: standIn(name), failure: misfits.join('; ') }
    const exports = await (manifest === undefined
      ? importFile(file, options.workingDirectory)
      : importFromPackage(file, options.workingDirectory))
    const loaded = checkExtension(exports.default, candidate, options)
    if (exports.default !== undefined) return loaded
    return { ...loaded, failure: `${loaded.failure}; ${describeExports(Object.keys(exports))}` }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { plugin: standIn(name), failure: `cannot be loaded: ${reason}` }
  }
}

const describeExports = (names: readonly string[]) =>
  names.length === 0 ? 'it exports nothing' : `it exports only ${names.join(', ')}`

/** A placeholder in lists for a plugin that was not loaded. */
export function standIn(name: string): Plugin {
  return definePlugin({ name, description: 'Not loaded' })
}

function checkExtension(exported: unknown, candidate: Candidate, options: LoadOptions): Loaded {
  const problems = checkManifest(exported, 'plugin')
  if (problems.length > 0) return { plugin: standIn(candidate.name), failure: problems.join('; ') }
  const plugin = exported as Extension
  const own = settingsOf(`plugins.${plugin.name}`, plugin.configSchema)
  const more = problemsOf(plugin, own, candidate, options)
  if (more.length > 0) return { plugin: standIn(candidate.name), failure: more.join('; ') }
  const config = createOwnConfig({ settings: own, inFile: candidate.config, ...options })
  const listenerTimeoutMs = readEarly(pluginListenerTimeoutMs, options)
  return {
    plugin: mountPlugin(plugin, { space: plugin.name, file: candidate.file, config, listenerTimeoutMs }),
    config,
  }
}

function problemsOf(
  plugin: Extension,
  own: OwnSettings,
  { name, config, isFolder }: Candidate,
  { takenNames }: LoadOptions,
): string[] {
  const folder = basename(name)
  return [
    ...(isFolder && plugin.name !== folder ? [`name must be ${folder}, the name of its folder`] : []),
    ...(takenNames.includes(plugin.name) ? [`cannot be named ${plugin.name}, which the service needs`] : []),
    ...checkEngines(plugin),
    ...checkPluginConfig(own, config),
  ]
}
