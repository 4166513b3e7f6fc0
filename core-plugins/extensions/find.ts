import { resolve } from 'node:path'
import { type Plugin, StartupError } from '../../kernel/index.ts'
import { type PluginSwitch, type ProjectConfig, readEarly } from '../config/config.ts'
import { type Candidate, findCandidates } from './candidates.ts'
import { type Loaded, loadCandidate, standIn } from './load.ts'
import { pluginsDir } from './plugins-dir.ts'

export interface FindOptions {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly workingDirectory: string
  readonly projectConfig: ProjectConfig
  /** Names that mean core plugins. */
  readonly coreNames: readonly string[]
}

/** The third-party plugins of a project. */
export interface Extensions {
  /** Also those that are off, so that lists can show them. */
  readonly plugins: readonly Plugin[]
  readonly config: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** Which are off, and why. */
  readonly disabled: ReadonlyMap<string, string>
  /** Which of those should have been on. */
  readonly failed: readonly { readonly plugin: string; readonly reason: string }[]
  /** What is switched off although there is no such plugin: slips of the pen. */
  readonly misnamed: readonly string[]
}

/**
 * Finds and loads the folders in the plugins directory and what the config file names by path or package.
 * One that is switched off is not loaded at all; one that cannot be loaded counts as switched off.
 * @throws StartupError naming all that cannot be loaded if the config says `strictPlugins`
 */
export async function findExtensions(options: FindOptions): Promise<Extensions> {
  const { projectConfig, workingDirectory, coreNames } = options
  const candidates = findCandidates({
    workingDirectory,
    pluginsDirectory: resolve(workingDirectory, readEarly(pluginsDir, options)),
    switches: without(projectConfig.plugins, coreNames),
    disabled: projectConfig.disabled,
  })
  const loaded = await Promise.all(candidates.filter(isOn).map(loadCandidate))
  const failed = loaded.flatMap(({ plugin, failure }) =>
    failure === undefined ? [] : [{ plugin: plugin.name, reason: failure }],
  )
  if (projectConfig.strictPlugins) refuseFailed(failed)
  const names = new Set(loaded.map(({ plugin }) => plugin.name))
  const off = candidates.filter((candidate) => !isOn(candidate) && !names.has(candidate.name))
  return {
    plugins: [...loaded.map(({ plugin }) => plugin), ...off.map(({ name }) => standIn(name))],
    config: Object.fromEntries(loaded.map(({ plugin, config }) => [plugin.name, config])),
    disabled: new Map([
      ...reasonsByName(off),
      ...switchedOffByName(loaded, projectConfig),
      ...reasons(failed),
    ]),
    failed,
    misnamed: off.filter(({ file }) => file === undefined).map(({ name }) => name),
  }
}

const isOn = (candidate: Candidate) => candidate.disabled === undefined

const reasons = (failed: Extensions['failed']) =>
  failed.map(({ plugin, reason }) => [plugin, reason] as const)

const reasonsByName = (off: readonly Candidate[]) =>
  off.map(({ name, disabled = '' }) => [name, disabled] as const)

/** A plugin that the config names by its path or package can be switched off by its own name as well. */
function switchedOffByName(loaded: readonly Loaded[], { disabled }: ProjectConfig) {
  return loaded.flatMap(({ plugin }) => {
    const reason = disabled.get(plugin.name)
    return reason === undefined ? [] : [[plugin.name, reason] as const]
  })
}

function without(switches: Readonly<Record<string, PluginSwitch>>, names: readonly string[]) {
  return Object.fromEntries(Object.entries(switches).filter(([name]) => !names.includes(name)))
}

function refuseFailed(failed: Extensions['failed']) {
  if (failed.length === 0) return
  const remedy = 'mend it, switch it off, or take strictPlugins out of the config file'
  throw new StartupError(
    'Plugins failed, and strictPlugins is on:',
    failed.map(({ plugin, reason }) => ({ subject: `plugin ${plugin}`, message: reason, remedy })),
  )
}
