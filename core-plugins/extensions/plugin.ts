import { appStart, definePlugin, type Plugin, pluginFailed, pluginsStarted } from '../../kernel/index.ts'
import { configService, settings } from '../config/config.ts'
import { routes } from '../http/http.ts'
import { commands } from './command.ts'
import type { Extensions } from './find.ts'
import { type CheckedItem, checkItems, panelItems, panelItemsRoute } from './panel-items.ts'
import { pluginConfigChanged } from './plugin-config.ts'
import { extensionSettings } from './settings.ts'
import { runSystemMiddleware, systemMiddleware } from './system-middleware.ts'
import { createThemeRoutes } from './themes/theme-routes.ts'
import { themeSetting, themesDir } from './themes/theme-setting.ts'

/**
 * What third-party plugins need and no other core plugin provides: system middleware, themes, panel items.
 */
export function createExtensionsPlugin({
  failed,
  misnamed,
  themes,
}: Pick<Extensions, 'failed' | 'misnamed' | 'themes'>): Plugin {
  const chosen = themeSetting(themes)
  return definePlugin({
    name: 'extensions',
    description: 'Finds third-party plugins, themes, and routes of the application',
    uses: { config: configService },
    points: [commands, panelItems, systemMiddleware],
    hooks: [pluginConfigChanged],

    register({ contribute }) {
      for (const setting of [...extensionSettings, themesDir, chosen]) contribute(settings, setting)
      for (const theme of themes) {
        for (const setting of theme.settings.values()) contribute(settings, setting)
      }
    },

    init({ services: { config }, contribute, contributions, on, emit, log }) {
      const panel: { items: readonly CheckedItem[] } = { items: [] }
      const compileChains = runSystemMiddleware({ on, contributions })
      contribute(routes, panelItemsRoute(panel))
      for (const route of createThemeRoutes({ config, themes, chosen })) contribute(routes, route)
      on(appStart, async () => {
        for (const plugin of misnamed) {
          log.warn({ plugin }, `${plugin} is switched off, but there is no such plugin`)
        }
        for (const failure of failed) {
          log.error(failure, `${failure.plugin} is switched off: ${failure.reason}`)
          await emit(pluginFailed, failure)
        }
        const sound = themes.filter(({ failure }) => failure === undefined)
        await emit(pluginsStarted, { plugins: sound.map(({ name }) => `themes/${name}`) })
      })
      return { panel, compileChains }
    },

    boot({ contributions, state }) {
      state.compileChains()
      state.panel.items = checkItems(contributions)
    },
  })
}
