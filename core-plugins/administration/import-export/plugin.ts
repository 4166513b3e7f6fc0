import { Type } from 'typebox'
import { definePlugin } from '../../../kernel/index.ts'
import { authService } from '../../accounts/auth/auth.ts'
import { defineJob, jobKinds, jobsService } from '../../background/jobs/jobs.ts'
import { defineSchedule, schedules } from '../../background/schedules/schedules.ts'
import { graphqlFeatures } from '../../delivery/graphql/graphql.ts'
import { mediaService } from '../../delivery/media/media.ts'
import { localizationsService } from '../../editing/i18n/i18n.ts'
import { bulkWritesService, contentQueriesService, contentService } from '../../entries/content/content.ts'
import { configService, settings } from '../../foundation/config/config.ts'
import { databaseService, tables, uniqueWaitsService } from '../../foundation/database/database.ts'
import { routes } from '../../foundation/http/http.ts'
import { schemasService } from '../../foundation/schemas/schemas.ts'
import { createBulkCreate } from './bulk-create.ts'
import { bulkCreateFeature } from './bulk-create-feature.ts'
import { bulkCreateRoute } from './bulk-create-route.ts'
import { composeImport } from './compose-import.ts'
import { exportRoute } from './export-route.ts'
import { exportService } from './export-service.ts'
import { createHttpImports } from './http-imports.ts'
import { downloadsService, importService } from './import-export.ts'
import { createImportFiles } from './import-files.ts'
import { importRoute } from './import-route.ts'
import { importedMediaTable, importsTable, waitingRecordsTable } from './imports/tables.ts'
import { createRowLocales } from './row-locales.ts'
import { importSettings, importsDirectory } from './settings.ts'

/** Many entries at once. */
export const importExportPlugin = definePlugin({
  name: 'import-export',
  description: 'Creates many entries at once, or changes those that are there already; imports and exports',
  uses: {
    auth: authService,
    bulkWrites: bulkWritesService,
    config: configService,
    content: contentService,
    contentQueries: contentQueriesService,
    database: databaseService,
    jobs: jobsService,
    schemas: schemasService,
    uniqueWaits: uniqueWaitsService,
  },
  usesIfPresent: { localizations: localizationsService, media: mediaService },
  provides: [importService, exportService, downloadsService],

  register({ contribute }) {
    for (const setting of importSettings) contribute(settings, setting)
    for (const table of [importsTable, waitingRecordsTable, importedMediaTable])
      contribute(tables, table.spec)
  },

  init({ services, provide, contribute, onDispose }) {
    const { bulkWrites, localizations, schemas } = services
    const { imports, exports, store, downloads, close } = composeImport(services)
    provide(importService, imports)
    provide(exportService, exports)
    provide(downloadsService, downloads)
    onDispose(close)
    const locales = createRowLocales(schemas, localizations)
    const bulkCreate = createBulkCreate({ bulkWrites, locales, schemas })
    contribute(routes, bulkCreateRoute(bulkCreate, schemas))
    contribute(graphqlFeatures, bulkCreateFeature(bulkCreate))
    const files = createImportFiles(importsDirectory(services.config))
    const httpImports = createHttpImports({ ...services, files, imports })
    contribute(jobKinds, httpImports.kind)
    contribute(routes, importRoute(httpImports, schemas))
    contribute(routes, exportRoute(exports, schemas))
    const forgetting = defineJob({
      name: 'imports.forget',
      payload: Type.Object({}),
      async run() {
        await store.forgetOld()
        await httpImports.removeLeftovers()
      },
    })
    contribute(jobKinds, forgetting)
    contribute(
      schedules,
      defineSchedule({ name: forgetting.name, kind: forgetting, payload: {}, cronExpression: '30 3 * * *' }),
    )
  },
})
