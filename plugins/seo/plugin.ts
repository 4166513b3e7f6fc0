import { contentService, contentWriteMiddleware } from '../../core-plugins/content/content.ts'
import { panelItems } from '../../core-plugins/extensions/extensions.ts'
import { routes } from '../../core-plugins/http/http.ts'
import { schemasService } from '../../core-plugins/schemas/schemas.ts'
import { definePlugin } from '../../kernel/index.ts'
import { checkRoute } from './check-route.ts'
import { fillMetaFields } from './fill.ts'

export default definePlugin({
  name: 'seo',
  displayName: 'SEO',
  description: 'Fills empty meta fields of entries, and checks those that are there',
  version: '1.0.0',
  kind: 'plugin',
  engines: { mortise: '>=0.1.0' },
  configSchema: {
    fill: {
      type: 'boolean',
      label: 'Fill empty meta fields',
      description:
        'Whether metaTitle and metaDescription are taken from title and excerpt where they are empty',
      default: false,
    },
    titleLength: { type: 'integer', label: 'Longest title', default: 60, min: 10, max: 255 },
    descriptionLength: { type: 'integer', label: 'Longest description', default: 160, min: 10, max: 1000 },
  },
  uses: { content: contentService, schemas: schemasService },

  init({ config, services, contribute }) {
    contribute(contentWriteMiddleware, fillMetaFields(services.schemas, config))
    contribute(routes, checkRoute(services, config))
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
