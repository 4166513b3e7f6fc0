import { appStart, definePlugin } from '../../kernel/index.ts'
import { auditService } from '../audit/audit.ts'
import { authService } from '../auth/auth.ts'
import { restoreSteps } from '../backups/backups.ts'
import { configService } from '../config/config.ts'
import {
  contentService,
  contentWriteMiddleware,
  entryColumns,
  entryLocks,
  entryParameters,
} from '../content/content.ts'
import { databaseService, tables } from '../database/database.ts'
import { policies, routes } from '../http/http.ts'
import { contentTables, schemasService } from '../schemas/schemas.ts'
import { checkTypes } from './check-types.ts'
import { isLocalized, localizedColumns, localizedTable } from './columns.ts'
import { createFiller } from './fill-rows.ts'
import { followWrites } from './follow-writes.ts'
import { createGroupStore, singleLocksTable } from './group-store.ts'
import { localizationsService } from './i18n.ts'
import { type Joinings, joinGroup } from './join-group.ts'
import { localeParameters } from './locale-parameters.ts'
import { createLocales } from './locales.ts'
import { createLocalizations } from './localizations.ts'
import { localizePolicy } from './localize-policy.ts'
import { localizationRoutes } from './routes.ts'

/** Entries in several locales: a row for each, what they share, and how far translations have come. */
export const i18nPlugin = definePlugin({
  name: 'i18n',
  displayName: 'Localisation',
  description: 'Entries in several locales: versions, shared attributes, fallback, translation status',
  uses: {
    auth: authService,
    config: configService,
    content: contentService,
    database: databaseService,
    schemas: schemasService,
  },
  usesIfPresent: { audit: auditService },
  provides: [localizationsService],

  register({ contribute }) {
    contribute(contentTables, localizedTable)
    contribute(entryColumns, localizedColumns)
    contribute(tables, singleLocksTable)
  },

  init({ services, provide, contribute, contributions, on }) {
    const { auth, config, content, database, schemas, audit } = services
    checkTypes(schemas, contributions(tables))
    const locales = createLocales(config)
    const store = createGroupStore(database)
    const joinings: Joinings = new WeakMap()
    const localizations = createLocalizations({ auth, content, database, schemas, store, joinings, audit })
    const filler = createFiller({ database, schemas, store, locales })
    provide(localizationsService, localizations)
    contribute(entryParameters, localeParameters(locales))
    locales.onChange(() => content.forgetQueries())
    contribute(entryLocks, { matches: isLocalized, lock: store.lock })
    contribute(contentWriteMiddleware, joinGroup({ locales, store, content, joinings }))
    contribute(contentWriteMiddleware, followWrites({ store, content }))
    contribute(policies, localizePolicy(auth, schemas))
    for (const route of localizationRoutes(localizations)) contribute(routes, route)
    contribute(restoreSteps, async (tx, { content: isContent }) => isContent && filler.fill(tx))
    // Before the search index is looked after, which knows the locale of entries.
    on(appStart, () => filler.fillAll(), { order: -2000 })
  },
})
