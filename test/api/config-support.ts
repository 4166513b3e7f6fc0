import {
  type Config,
  type ConfigPluginOptions,
  configService,
  createConfigPlugin,
  type RuntimeSettings,
  runtimeSettingsService,
  type Setting,
  settings,
} from '../../core-plugins/foundation/config/config.ts'
import { createKernel, definePlugin, type Log, silentLog } from '../../kernel/index.ts'

export interface StartedConfig {
  readonly config: Config
  readonly runtimeSettings: RuntimeSettings
  readonly warnings: readonly string[]
}

/** Starts the config plugin with settings of another plugin. @throws StartupError */
export async function startConfig(
  declared: readonly Setting<unknown>[],
  options: Partial<ConfigPluginOptions> = {},
): Promise<StartedConfig> {
  const warnings: string[] = []
  const log: Log = {
    ...silentLog,
    warn: (_fields, message) => warnings.push(message),
    error: (_fields, message) => warnings.push(message),
    child: () => log,
  }
  const owner = definePlugin({
    name: 'owner',
    description: 'Has settings',
    register({ contribute }) {
      for (const setting of declared) contribute(settings, setting)
    },
  })
  const plugins = [createConfigPlugin({ env: {}, workingDirectory: '.', ...options }), owner]
  const kernel = createKernel({ plugins, log })
  await kernel.start()
  const started = {
    config: kernel.get(configService),
    runtimeSettings: kernel.get(runtimeSettingsService),
    warnings,
  }
  await kernel.stop()
  return started
}
