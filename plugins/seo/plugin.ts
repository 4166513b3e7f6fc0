import {
  authService,
  contentService,
  contentWriteMiddleware,
  defineExtension,
  panelItems,
  panelModules,
  routes,
  schemasService,
} from 'mortise/plugin'
import { checkRoute } from './check-route.ts'
import { configSchema } from './config-schema.ts'
import { fillMetaFields } from './fill.ts'
import { incompleteRoute } from './incomplete-route.ts'

export default defineExtension({
  name: 'seo',
  displayName: 'SEO',
  description: 'Fills empty meta fields of entries, and checks those that are there',
  version: '1.0.0',
  kind: 'plugin',
  engines: { mortise: '>=0.1.0' },
  configSchema,
  uses: { auth: authService, content: contentService, schemas: schemasService },

  init({ config, services, contribute }) {
    contribute(contentWriteMiddleware, fillMetaFields(services.schemas, config))
    contribute(routes, checkRoute(services, config))
    contribute(routes, incompleteRoute(services, config))
    contribute(panelModules, { file: './panel.tsx' })
    contribute(panelItems, {
      kind: 'settings',
      id: 'seo:settings',
      label: 'SEO',
      icon: 'search',
      category: 'plugins.seo',
      access: 'area',
    })
  },
})
