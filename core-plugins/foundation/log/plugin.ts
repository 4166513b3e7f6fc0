import { definePlugin, type Plugin } from '../../../kernel/index.ts'
import { configService, settings } from '../config/config.ts'
import { logLevel, type ProcessLog } from './log.ts'

/** Sets the level of the process's log, which exists before any plugin, from the settings. */
export function createLogPlugin(log: ProcessLog): Plugin {
  return definePlugin({
    name: 'log',
    description: 'Sets how much is logged',
    uses: { config: configService },
    register: ({ contribute }) => contribute(settings, logLevel),
    init({ services }) {
      log.level = services.config.get(logLevel)
    },
  })
}
