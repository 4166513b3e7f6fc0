import { appStart, definePlugin, type Plugin, pluginFailed } from '../../kernel/index.ts'
import { settings } from '../config/config.ts'
import type { Extensions } from './find.ts'
import { extensionSettings } from './settings.ts'
import { runSystemMiddleware } from './system-middleware.ts'

/** Runs system middleware, and tells of the third-party plugins that could not be loaded, once everyone listens. */
export function createExtensionsPlugin({
  failed,
  misnamed,
}: Pick<Extensions, 'failed' | 'misnamed'>): Plugin {
  let compileChains = () => {}
  return definePlugin({
    name: 'extensions',
    description: 'Finds third-party plugins, and routes of the application',
    register({ contribute, contributions, on, emit, log }) {
      for (const setting of extensionSettings) contribute(settings, setting)
      compileChains = runSystemMiddleware({ on, contributions })
      on(appStart, async () => {
        for (const plugin of misnamed) {
          log.warn({ plugin }, `${plugin} is switched off, but there is no such plugin`)
        }
        for (const failure of failed) {
          log.error(failure, `${failure.plugin} is switched off: ${failure.reason}`)
          await emit(pluginFailed, failure)
        }
      })
    },
    boot: () => compileChains(),
  })
}
