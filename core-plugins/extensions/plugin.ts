import { appStart, definePlugin, type Plugin, pluginFailed } from '../../kernel/index.ts'
import { settings } from '../config/config.ts'
import type { Extensions } from './find.ts'
import { pluginsDir } from './plugins-dir.ts'

/** Tells of the third-party plugins that could not be loaded, once everyone listens. */
export function createExtensionsPlugin({
  failed,
  misnamed,
}: Pick<Extensions, 'failed' | 'misnamed'>): Plugin {
  return definePlugin({
    name: 'extensions',
    description: 'Finds third-party plugins',
    register({ contribute, on, emit, log }) {
      contribute(settings, pluginsDir)
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
  })
}
