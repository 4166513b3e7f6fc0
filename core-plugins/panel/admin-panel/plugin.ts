import { definePlugin, type Plugin } from '../../../kernel/index.ts'
import { authService } from '../../accounts/auth/auth.ts'
import { configService, settings } from '../../foundation/config/config.ts'
import { environmentName, httpService, routes } from '../../foundation/http/http.ts'
import { schemasService } from '../../foundation/schemas/schemas.ts'
import { panelItemsService, panelModules } from '../extensions/extensions.ts'
import { createCallerPermissions } from './api/caller-permissions.ts'
import { panelDocumentRoute } from './api/panel-document.ts'
import { createPanelSettings } from './api/panel-settings.ts'
import { reportErrorRoute } from './api/report-route.ts'
import { versionsRoute } from './api/versions-route.ts'
import { createPanelApp } from './panel-app.ts'
import { createPluginModules } from './plugin-modules.ts'
import { panelRoutes } from './routes.ts'

export interface AdminPanelOptions {
  /** The project folder, where bundles of its plugins are stored across restarts. */
  readonly workingDirectory: string
}

/** The admin panel: the page at `/admin`, its files, and its initial document; see docs/architecture.md. */
export function createAdminPanelPlugin({ workingDirectory }: AdminPanelOptions): Plugin {
  return definePlugin({
    name: 'admin-panel',
    description: 'The admin panel at /admin, in which editors and administrators work',
    uses: {
      auth: authService,
      config: configService,
      http: httpService,
      panelItems: panelItemsService,
      schemas: schemasService,
    },
    points: [panelModules],

    init({ services, contribute, contributions, contributionsByPlugin, switchedOn, onDispose, log }) {
      const { auth, config, http, panelItems, schemas } = services
      const isLive = config.get(environmentName) === 'development'
      const app = createPanelApp({ isLive })
      onDispose(() => app.close())
      const modules = createPluginModules({
        ...{ app, isLive, log, workingDirectory },
        contributions: () => contributionsByPlugin(panelModules),
      })
      const { framed, ...panelSettings } = createPanelSettings(config, contributions(settings))
      for (const route of panelRoutes({ app, http, modules, framed, isLive })) contribute(routes, route)
      contribute(routes, reportErrorRoute(modules))
      contribute(routes, versionsRoute(http))
      contribute(
        routes,
        panelDocumentRoute({
          ...panelSettings,
          permissionsOf: createCallerPermissions({ auth, schemas, routes: () => http.routes }),
          itemsFor: panelItems.visibleTo,
          plugins: () => [...switchedOn].sort(),
          modules: modules.list,
        }),
      )
    },
  })
}
