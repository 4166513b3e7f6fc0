import { definePlugin } from '../../kernel/index.ts'
import { bulkWritesService } from '../content/content.ts'
import { routes } from '../http/http.ts'
import { localizationsService } from '../i18n/i18n.ts'
import { schemasService } from '../schemas/schemas.ts'
import { bulkCreateRoute } from './bulk-create-route.ts'
import { createRowLocales } from './row-locales.ts'

/** Many entries at once. */
export const importExportPlugin = definePlugin({
  name: 'import-export',
  description: 'Creates many entries at once, or changes those that are there already',
  uses: { bulkWrites: bulkWritesService, schemas: schemasService },
  usesIfPresent: { localizations: localizationsService },

  init({ services: { bulkWrites, localizations, schemas }, contribute }) {
    const locales = createRowLocales(schemas, localizations)
    contribute(routes, bulkCreateRoute({ bulkWrites, schemas, locales }))
  },
})
