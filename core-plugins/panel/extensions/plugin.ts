import { appStart, definePlugin, type Plugin, pluginFailed, pluginsStarted } from '../../../kernel/index.ts'
import { alertsService } from '../../background/alerts/alerts.ts'
import { configService, settings } from '../../foundation/config/config.ts'
import { routes } from '../../foundation/http/http.ts'
import { commands } from './command.ts'
import type { Extensions } from './find.ts'
import {
  type CheckedItem,
  checkItems,
  createPanelItems,
  panelItems,
  panelItemsRoute,
  panelItemsService,
} from './panel-items.ts'
import { pluginConfigChanged } from './plugin-config.ts'
import { pluginListRoute } from './plugin-list.ts'
import { extensionSettings } from './settings.ts'
import { runSystemMiddleware, systemMiddleware } from './system-middleware.ts'
import { watchContrast } from './themes/contrast/watch-contrast.ts'
import { createThemeRoutes } from './themes/theme-routes.ts'
import { themeSetting, themesDir } from './themes/theme-setting.ts'

export interface ExtensionsOptions extends Pick<Extensions, 'failed' | 'misnamed' | 'plugins' | 'themes'> {
  /** The core plugins, apart from this one. */
  readonly core: readonly Plugin[]
}

/** Provides what third-party plugins need and no other core plugin provides: system middleware, themes, panel items. */
export function createExtensionsPlugin({
  core,
  failed,
  misnamed,
  plugins,
  themes,
}: ExtensionsOptions): Plugin {
  const chosen = themeSetting(themes)
  const extensions: Plugin = definePlugin({
    name: 'extensions',
    description: 'Finds third-party plugins, themes, and routes of the application',
    uses: { config: configService },
    usesIfPresent: { alerts: alertsService },
    provides: [panelItemsService],
    points: [commands, panelItems, systemMiddleware],
    hooks: [pluginConfigChanged],

    register({ contribute }) {
      for (const setting of [...extensionSettings, themesDir, chosen]) contribute(settings, setting)
      for (const theme of themes) {
        for (const setting of theme.settings.values()) contribute(settings, setting)
      }
    },

    init(context) {
      const { provide, contribute, contributions, contributionsByPlugin, on, emit, onDispose, log } = context
      const { config, alerts } = context.services
      const panel: { items: readonly CheckedItem[] } = { items: [] }
      const compileChains = runSystemMiddleware({ on, contributions })
      const shownItems = createPanelItems(panel)
      provide(panelItemsService, shownItems)
      contribute(routes, panelItemsRoute(shownItems))
      const listed = pluginListRoute({
        core: [...core, extensions],
        thirdParty: plugins,
        switchedOff: context.switchedOff,
        routes: () => contributionsByPlugin(routes),
        settings: () => contributionsByPlugin(settings),
        items: () => contributionsByPlugin(panelItems),
      })
      contribute(routes, listed)
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
        onDispose(await watchContrast({ config, themes, chosen, alerts, log }))
      })
      return { panel, compileChains }
    },

    boot({ contributions, state }) {
      state.compileChains()
      state.panel.items = checkItems(contributions)
    },
  })
  return extensions
}
