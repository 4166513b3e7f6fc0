import { appStart, definePlugin } from '../../kernel/index.ts'
import { auditService } from '../audit/audit.ts'
import { authService } from '../auth/auth.ts'
import { restoreSteps } from '../backups/backups.ts'
import { configService } from '../config/config.ts'
import {
  contentQueriesService,
  contentService,
  contentWriteMiddleware,
  entryColumns,
  entryLocks,
  entryParameters,
  storedEntriesService,
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
import { joinGroup } from './join-group.ts'
import { localeParameters } from './locale-parameters.ts'
import { createLocales } from './locales.ts'
import { createLocalizations } from './localizations.ts'
import { localizePolicy } from './localize-policy.ts'
import { localizationRoutes } from './routes.ts'

/** Entries in several locales: one row per version, shared attributes and translation status. */
export const i18nPlugin = definePlugin({
  name: 'i18n',
  description: 'Entries in several locales: versions, shared attributes, fallback, translation status',
  uses: {
    auth: authService,
    config: configService,
    content: contentService,
    contentQueries: contentQueriesService,
    storedEntries: storedEntriesService,
    database: databaseService,
    schemas: schemasService,
  },
  usesIfPresent: { audit: auditService },
  provides: [localizationsService],

  register({ contribute }) {
    contribute(contentTables, localizedTable)
    contribute(entryColumns, localizedColumns)
    contribute(tables, singleLocksTable.spec)
  },

  init({ services, provide, contribute, contributions, on }) {
    const { auth, config, content, contentQueries, storedEntries, database, schemas, audit } = services
    checkTypes(schemas, contributions(tables))
    const locales = createLocales(config)
    const store = createGroupStore(database)
    const localizations = createLocalizations({
      ...{ auth, content, storedEntries, database, schemas, store, audit },
    })
    const filler = createFiller({ database, schemas, store, locales })
    provide(localizationsService, localizations)
    contribute(entryParameters, localeParameters(locales))
    locales.onChange(() => contentQueries.forgetQueries())
    contribute(entryLocks, { matches: isLocalized, lock: store.lock })
    // Before all others, which may replace the payload.
    contribute(contentWriteMiddleware, joinGroup({ locales, store, storedEntries }), {
      step: 'join',
      before: ['*', 'webhooks', 'revisions'],
    })
    // Late, so that it sees the stored entry; only the search index runs after it.
    contribute(contentWriteMiddleware, followWrites({ store, storedEntries }), {
      step: 'follow',
      after: ['*'],
      before: ['search'],
    })
    contribute(policies, localizePolicy(auth, schemas))
    for (const route of localizationRoutes(localizations)) contribute(routes, route)
    contribute(restoreSteps, async (tx, { content: isContent }) => isContent && filler.fill(tx))
    // Before the search index is checked, because that contains locales.
    on(appStart, () => filler.fillAll(), { before: ['*', 'search'] })
  },
})
