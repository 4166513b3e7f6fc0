import { corePlugins } from './core-plugins/catalogue.ts'
import { loadProjectConfig, type ProjectConfig } from './core-plugins/config/config.ts'
import { createExtensionsPlugin, findExtensions } from './core-plugins/extensions/extensions.ts'
import type { ProcessLog } from './core-plugins/log/log.ts'
import { createKernel, type Kernel, type KernelOptions, type Plugin } from './kernel/index.ts'

export interface ServiceOptions {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Where the config file is, and what relative paths in settings are resolved against. */
  readonly workingDirectory: string
  readonly log: ProcessLog
  /** Third-party plugins in addition to the project's own. */
  readonly plugins?: readonly Plugin[]
}

/**
 * Creates the service of a project without starting it.
 * @throws StartupError if the config file is malformed or the plugins do not fit together
 */
export async function createService(options: ServiceOptions): Promise<Kernel> {
  return createKernel(await assemble(options))
}

/**
 * The parts of a project's service: core plugins, third-party plugins, and what the project config says about
 * them.
 * @throws StartupError if the config file is malformed, or if strict plugins cannot be loaded
 */
export async function assemble(options: ServiceOptions): Promise<KernelOptions> {
  const { env, workingDirectory, log, plugins = [] } = options
  const projectConfig = await loadProjectConfig({ env, workingDirectory })
  const core = corePlugins({ env, workingDirectory, projectConfig, log })
  const coreNames = [...core.map(({ name }) => name), 'extensions']
  const extensions = await findExtensions({ env, workingDirectory, projectConfig, coreNames })
  return {
    plugins: [...core, createExtensionsPlugin(extensions), ...plugins, ...extensions.plugins],
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
