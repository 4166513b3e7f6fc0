import { definePlugin } from '../../../kernel/index.ts'
import { authService } from '../../accounts/auth/auth.ts'
import { auditService } from '../../background/audit/audit.ts'
import { configService, settings } from '../../foundation/config/config.ts'
import { schemaSyncService, tables } from '../../foundation/database/database.ts'
import { routes } from '../../foundation/http/http.ts'
import { schemasFolderOf, schemasService, schemaTrialService } from '../../foundation/schemas/schemas.ts'
import { transferSections } from '../../foundation/sections/sections.ts'
import { createSchemaFiles } from './create-schema-files.ts'
import { createSchemaFolder } from './folder.ts'
import { recordBy, schemaFileRoutes } from './routes.ts'
import { schemaSection } from './schema-section.ts'
import { isWritable, writable } from './settings.ts'

/** Schema files by request: read, checked, and written where the project allows it. */
export const schemaFilesPlugin = definePlugin({
  name: 'schema-files',
  description: 'Lets administrators read, check and, where schemas.writable is on, write schema files',
  uses: {
    auth: authService,
    config: configService,
    schemas: schemasService,
    schemaSync: schemaSyncService,
    trial: schemaTrialService,
  },
  usesIfPresent: { audit: auditService },

  register({ contribute }) {
    contribute(settings, writable)
  },

  async init({ services, contribute, contributions, log }) {
    const { auth, config, schemas, schemaSync, trial, audit } = services
    const { directory, label } = schemasFolderOf(config)
    const schemaFiles = createSchemaFiles({
      ...{ trial, schemaSync },
      folder: createSchemaFolder(directory),
      tables: () => contributions(tables),
    })
    // Read again, since the schemas plugin keeps no texts. Only needed where files can be written.
    const started = isWritable(config) ? (await schemaFiles.read()).version : undefined
    const parts = {
      ...{ schemaFiles, fieldTypes: schemas.fieldTypes, label, audit, log },
      isWritable: isWritable(config),
      reason: `schemas.writable is off here, so schema files come with the project: ${config.envNameOf(writable)}`,
      isInUse: (version: string) => started === undefined || version === started,
    }
    for (const route of schemaFileRoutes(parts)) contribute(routes, route)
    const section = { ...parts, auth, record: recordBy(parts) }
    contribute(transferSections, schemaSection(section))
  },
})
