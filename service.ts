import { corePlugins } from './core-plugins/catalogue.ts'
import {
  type ConfigFile,
  loadProjectConfig,
  type ProjectConfig,
} from './core-plugins/foundation/config/config.ts'
import type { ProcessLog } from './core-plugins/foundation/log/log.ts'
import {
  createExtensionsPlugin,
  type Extension,
  findExtensions,
} from './core-plugins/panel/extensions/extensions.ts'
import { createKernel, type Kernel, type KernelOptions, type Plugin } from './kernel/index.ts'

export interface ServiceOptions {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Where the config file is, and what relative paths in settings are resolved against. */
  readonly workingDirectory: string
  readonly log: ProcessLog
  /** Settings and plugin switches that take precedence over the config file, not over the environment. */
  readonly config?: ConfigFile
  /** Third-party plugins in addition to the project's own, and treated like them: routes are below `/x/<plugin>`. */
  readonly extensions?: readonly Extension[]
  /** Plugins that are left as they are: with routes and names of their choice, like those of the service itself. */
  readonly plugins?: readonly Plugin[]
}

/**
 * Creates the service of a project without starting it.
 * @throws StartupError if the config file is malformed or the plugins do not fit together
 */
export async function createService(options: ServiceOptions): Promise<Kernel> {
  return createKernel(await assemble(options))
}

interface AssembledService extends KernelOptions {
  /** The names of third-party plugins. */
  readonly extensionNames: readonly string[]
}

/**
 * The parts of a project's service: core plugins, third-party plugins, and what the project config says about
 * them.
 * @throws StartupError if the config file is malformed, or if strict plugins cannot be loaded
 */
export async function assemble(options: ServiceOptions): Promise<AssembledService> {
  const { env, workingDirectory, log, config, plugins = [], extensions: given = [] } = options
  const projectConfig = await loadProjectConfig({ env, workingDirectory, ...(config && { config }) })
  const core = corePlugins({ env, workingDirectory, projectConfig, log })
  const coreNames = [...core.map(({ name }) => name), 'extensions']
  const extensions = await findExtensions({ env, workingDirectory, projectConfig, coreNames, given })
  return {
    plugins: [...core, createExtensionsPlugin({ ...extensions, core }), ...plugins, ...extensions.plugins],
    extensionNames: extensions.plugins.map(({ name }) => name),
    log,
    pluginConfig: { ...coreConfig(projectConfig), ...extensions.config },
    disabled: new Map([...projectConfig.disabled, ...extensions.disabled]),
    guestPhaseTimeoutMs: extensions.phaseTimeoutMs,
    isEssential: (plugin) => projectConfig.strictPlugins || coreNames.includes(plugin.name),
  }
}

function coreConfig({ plugins }: ProjectConfig) {
  return Object.fromEntries(
    Object.entries(plugins).flatMap(([name, value]) => (typeof value === 'object' ? [[name, value]] : [])),
  )
}
