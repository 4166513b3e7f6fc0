import { resolve } from 'node:path'
import { type Plugin, StartupError } from '../../../kernel/index.ts'
import {
  envNameOf,
  type PluginSwitch,
  type ProjectConfig,
  readEarly,
} from '../../foundation/config/config.ts'
import { appSpace, findRoutesFiles, loadRoutesFile } from './app-routes.ts'
import { type Candidate, findCandidates } from './candidates.ts'
import type { Extension } from './define-extension.ts'
import { type Loaded, loadCandidate, standIn } from './load.ts'
import { pluginListenerTimeoutMs, pluginsDir, pluginTimeoutMs, routesDir } from './settings.ts'
import { findThemes, type Theme } from './themes/find-themes.ts'
import { themesDir } from './themes/theme-setting.ts'

export interface FindOptions {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly workingDirectory: string
  readonly projectConfig: ProjectConfig
  /** Names of core plugins. */
  readonly coreNames: readonly string[]
  /** Plugins in addition to those of the project, treated the same. */
  readonly given?: readonly Extension[]
}

/** The third-party plugins of a project. */
export interface Extensions {
  /** Includes those that are off, so that lists can show them. */
  readonly plugins: readonly Plugin[]
  /** The current `configSchema` values of each plugin. */
  readonly config: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** How long one phase of a plugin may take. */
  readonly phaseTimeoutMs: number
  /** Including unusable ones. */
  readonly themes: readonly Theme[]
  /** Disabled plugins, with the reason. */
  readonly disabled: ReadonlyMap<string, string>
  /** Disabled plugins that should have been on. */
  readonly failed: readonly { readonly plugin: string; readonly reason: string }[]
  /** Names that are switched off but match no plugin: typos. */
  readonly misnamed: readonly string[]
}

/**
 * Loads the plugins passed in, the folders in the plugins directory, plugins named in the config file by path or package, and the
 * route files of the application, each of which counts as a plugin. A disabled plugin is not loaded at all; one that cannot be
 * loaded counts as disabled.
 * @throws StartupError naming all that cannot be loaded, if the config sets `strictPlugins`
 */
export async function findExtensions(options: FindOptions): Promise<Extensions> {
  const { projectConfig, workingDirectory, coreNames, given = [] } = options
  const routesFiles = findRoutesFiles(resolve(workingDirectory, readEarly(routesDir, options)))
  const otherNames = [...coreNames, ...routesFiles.map(({ name }) => name)]
  const takenNames = [...otherNames, appSpace]
  const candidates = findCandidates({
    given,
    workingDirectory,
    pluginsDirectory: resolve(workingDirectory, readEarly(pluginsDir, options)),
    takenNames,
    switches: without(projectConfig.plugins, otherNames),
    disabled: projectConfig.disabled,
  })
  const loading = { ...options, takenNames }
  const listenerTimeoutMs = readEarly(pluginListenerTimeoutMs, options)
  const loaded = withoutDoubled([
    ...(await Promise.all(candidates.filter(isOn).map((candidate) => loadCandidate(candidate, loading)))),
    ...(await Promise.all(
      routesFiles
        .filter(({ name }) => !projectConfig.disabled.has(name))
        .map((file) => loadRoutesFile(file, { workingDirectory, listenerTimeoutMs })),
    )),
  ])
  const themes = await findThemes(resolve(workingDirectory, readEarly(themesDir, options)), workingDirectory)
  const failed = loaded.flatMap(({ plugin, failure }) => reasonOf(plugin.name, failure))
  const failedThemes = themes.flatMap(({ name, failure }) => reasonOf(`themes/${name}`, failure))
  if (projectConfig.strictPlugins) assertNoneFailed([...failed, ...failedThemes])
  const names = new Set(loaded.map(({ plugin }) => plugin.name))
  const off = candidates.filter((candidate) => !isOn(candidate) && !names.has(candidate.name))
  const routesOff = routesFiles.filter(({ name }) => projectConfig.disabled.has(name))
  return {
    plugins: [
      ...loaded.map(({ plugin }) => plugin),
      ...[...off, ...routesOff].map(({ name }) => standIn(name)),
    ],
    config: Object.fromEntries(loaded.map(({ plugin, config }) => [plugin.name, config?.values ?? {}])),
    disabled: new Map([
      ...reasonsByName(off),
      ...switchedOffByName(loaded, projectConfig),
      ...reasons(failed),
    ]),
    phaseTimeoutMs: readEarly(pluginTimeoutMs, options),
    themes,
    failed: [...failed, ...failedThemes],
    misnamed: off
      .filter(({ file, exported }) => file === undefined && exported === undefined)
      .map(({ name }) => name),
  }
}

/** If two plugins have the same name, or settings with the same environment variable, the first is kept. */
function withoutDoubled(loaded: readonly Loaded[]): Loaded[] {
  const taken = new Map<string, string>()
  return loaded.map(({ plugin, ...rest }, index) => {
    const variables = [...(rest.config?.settings.values() ?? [])].map(envNameOf)
    const marks = [`the name ${plugin.name}`, ...variables.map((name) => `the variable ${name}`)]
    const doubled = marks.find((mark) => taken.has(mark))
    if (doubled !== undefined && rest.failure === undefined) {
      const failure = `shares ${doubled} with ${taken.get(doubled)}; rename one of them`
      return { plugin: standIn(`${plugin.name} (${index + 1})`), failure }
    }
    for (const mark of marks) taken.set(mark, plugin.name)
    return { plugin, ...rest }
  })
}

const isOn = (candidate: Candidate) => candidate.disabled === undefined

const reasonOf = (plugin: string, reason: string | undefined) =>
  reason === undefined ? [] : [{ plugin, reason }]

const reasons = (failed: Extensions['failed']) =>
  failed.map(({ plugin, reason }) => [plugin, reason] as const)

const reasonsByName = (off: readonly Candidate[]) =>
  off.map(({ name, disabled = '' }) => [name, disabled] as const)

/** Disables plugins by their own names, even if the config refers to them by path or package. */
function switchedOffByName(loaded: readonly Loaded[], { disabled }: ProjectConfig) {
  return loaded.flatMap(({ plugin }) => {
    const reason = disabled.get(plugin.name)
    return reason === undefined ? [] : [[plugin.name, reason] as const]
  })
}

function without(switches: Readonly<Record<string, PluginSwitch>>, names: readonly string[]) {
  return Object.fromEntries(Object.entries(switches).filter(([name]) => !names.includes(name)))
}

function assertNoneFailed(failed: Extensions['failed']) {
  if (failed.length === 0) return
  const remedy = 'fix it, switch it off, or take strictPlugins out of the config file'
  throw new StartupError(
    'Plugins failed, and strictPlugins is on:',
    failed.map(({ plugin, reason }) => ({ subject: `plugin ${plugin}`, message: reason, remedy })),
  )
}
