import { resolve } from 'node:path'
import { definePlugin, describeProblem, type Log, type Plugin, StartupError } from '../../../kernel/index.ts'
import { configService } from './config-service.ts'
import type { Env } from './env-layer.ts'
import { generalSettings } from './general-settings.ts'
import { type ProjectConfig, withoutConfigFile } from './project-config.ts'
import { runtimeSettingsService } from './runtime-settings.ts'
import { fileValues, settings } from './setting.ts'
import { type CheckedSettings, checkSettings } from './startup-check.ts'

export interface ConfigPluginOptions {
  readonly env: Env
  /** The result of `loadProjectConfig`; undefined if there is no file. */
  readonly projectConfig?: ProjectConfig
  /** The directory that relative paths in settings are resolved against. */
  readonly workingDirectory: string
}

/** The plugin that provides settings to all others. It must come first in the list of plugins. */
export function createConfigPlugin(options: ConfigPluginOptions): Plugin {
  return definePlugin({
    name: 'config',
    description: 'Reads settings from the environment, the config file and the database, and checks them',
    provides: [configService, runtimeSettingsService],
    points: [settings, fileValues],
    register({ contribute }) {
      for (const setting of generalSettings) contribute(settings, setting)
    },
    init({ contributions, contributionsByPlugin, log, provide }) {
      const checked = checkSettings({
        contributed: contributionsByPlugin(settings),
        fileValues: contributions(fileValues),
        env: options.env,
        projectConfig: options.projectConfig ?? withoutConfigFile,
        workingDirectory: resolve(options.workingDirectory),
        log,
      })
      report(checked, log)
      provide(configService, checked.layers.config)
      provide(runtimeSettingsService, checked.layers.runtimeSettings)
    },
  })
}

function report({ problems, warnings }: CheckedSettings, log: Log) {
  for (const warning of warnings) log.warn({ subject: warning.subject }, describeProblem(warning).trim())
  if (problems.length > 0) throw new StartupError('The configuration cannot be used:', problems)
}
