import { definePlugin } from '../../../kernel/index.ts'
import { contentUserSignInService } from '../../accounts/auth/auth.ts'
import { maxFileSize, mediaService } from '../../delivery/media/media.ts'
import { contentService, storedEntriesService } from '../../entries/content/content.ts'
import { configService } from '../../foundation/config/config.ts'
import { databaseService, tables } from '../../foundation/database/database.ts'
import { schemasService } from '../../foundation/schemas/schemas.ts'
import { downloadsService, importService } from '../import-export/import-export.ts'
import { createMigrations } from './migrate.ts'
import { createMigrated } from './migrated.ts'
import { MigrationError } from './migration-error.ts'
import { type Migrations, migrationsService } from './migrations-service.ts'
import { migratedTable } from './tables.ts'

/** Brings in the content of other systems. */
export const migrationsPlugin = definePlugin({
  name: 'migrations',
  description: 'Brings in the content of other systems, for the command line',
  uses: {
    config: configService,
    content: contentService,
    contentUsers: contentUserSignInService,
    database: databaseService,
    schemas: schemasService,
    storedEntries: storedEntriesService,
  },
  usesIfPresent: { imports: importService, downloads: downloadsService, media: mediaService },
  provides: [migrationsService],

  register({ contribute }) {
    contribute(tables, migratedTable.spec)
  },

  init({ services, provide }) {
    const { imports, downloads, media, config } = services
    const migrated = createMigrated(services.database)
    provide(
      migrationsService,
      imports === undefined || downloads === undefined || media === undefined
        ? needingBoth
        : createMigrations({
            ...{ ...services, imports, downloads, media, migrated },
            maxFileSize: () => config.get(maxFileSize),
          }),
    )
  },
})

const refuse = async () => {
  throw new MigrationError('bringing in content takes the plugins import-export and media: switch them on')
}

/** Stands in while media or imports are switched off, since only migrations need both. */
const needingBoth: Migrations = { run: refuse, forget: refuse }
