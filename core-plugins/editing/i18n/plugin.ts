import { appStart, definePlugin } from '../../../kernel/index.ts'
import { authService } from '../../accounts/auth/auth.ts'
import { auditService } from '../../background/audit/audit.ts'
import { graphqlFeatures } from '../../delivery/graphql/graphql.ts'
import {
  contentQueriesService,
  contentService,
  contentWriteMiddleware,
  entryColumns,
  entryLocks,
  entryMeta,
  entryParameters,
  entryTables,
  standIns,
  storedEntriesService,
} from '../../entries/content/content.ts'
import { typeFacts } from '../../entries/content-types/content-types.ts'
import { configService } from '../../foundation/config/config.ts'
import { databaseService, tables } from '../../foundation/database/database.ts'
import { policies, routes } from '../../foundation/http/http.ts'
import { contentTables, schemaRules, schemasService } from '../../foundation/schemas/schemas.ts'
import { entryCompanions, restoreSteps } from '../../foundation/sections/sections.ts'
import { inboxSources } from '../inbox/inbox.ts'
import { checkTypes, localizationProblems } from './check-types.ts'
import { isLocalized, localizedColumns, localizedTable } from './columns.ts'
import { endSources } from './end-sources.ts'
import { createFiller } from './fill-rows.ts'
import { followWrites } from './follow-writes.ts'
import { createGroupStore, singleLocksTable } from './group-store.ts'
import { localizationsService } from './i18n.ts'
import { joinGroup } from './join-group.ts'
import { localeMeta } from './locale-meta.ts'
import { localeParameters } from './locale-parameters.ts'
import { localeStandIns } from './locale-stand-ins.ts'
import { createLocales } from './locales.ts'
import { localizationFeature } from './localization-feature.ts'
import { createLocalizations } from './localizations.ts'
import { localizePolicy } from './localize-policy.ts'
import { outdatedTranslations } from './outdated-translations.ts'
import { localizationRoutes } from './routes.ts'
import { createSourceChanges, sourceChangesTable } from './source-changes.ts'
import { translationCompanion } from './translation-companion.ts'

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
    contribute(schemaRules, localizationProblems)
    contribute(entryColumns, localizedColumns)
    for (const table of [singleLocksTable, sourceChangesTable]) contribute(tables, table.spec)
  },

  init({ services, provide, contribute, contributions, on }) {
    const { auth, config, content, contentQueries, storedEntries, database, schemas, audit } = services
    checkTypes(schemas, contributions(tables))
    const locales = createLocales(config)
    const store = createGroupStore(database)
    const changes = createSourceChanges(database)
    const localizations = createLocalizations({
      ...{ auth, content, storedEntries, database, schemas, store, changes, audit },
      defaultLocaleOf: locales.defaultOf,
    })
    const filler = createFiller({ database, schemas, store, locales })
    provide(localizationsService, localizations)
    contribute(entryParameters, localeParameters(locales))
    contribute(standIns, localeStandIns(locales, schemas))
    contribute(entryMeta, localeMeta(store))
    locales.onChange(() => contentQueries.forgetQueries())
    contribute(entryLocks, { matches: isLocalized, lock: store.lock })
    // Before all other stages, which may replace the payload.
    contribute(contentWriteMiddleware, joinGroup({ locales, store, storedEntries }), {
      step: 'join',
      before: ['*', 'webhooks', 'revisions'],
    })
    // Late, so that it sees the stored entry; only the search index runs later.
    contribute(contentWriteMiddleware, followWrites({ store, changes, storedEntries }), {
      step: 'follow',
      after: ['*'],
      before: ['search'],
    })
    contribute(entryTables, { table: sourceChangesTable, matches: isLocalized })
    contribute(contentWriteMiddleware, endSources(changes))
    contribute(entryCompanions, translationCompanion({ auth, store, changes, audit }))
    contribute(typeFacts, (type) =>
      isLocalized(type) ? { locales: locales.of(type), defaultLocale: locales.defaultOf(type) } : {},
    )
    contribute(inboxSources, outdatedTranslations(schemas, database, auth))
    contribute(policies, localizePolicy(auth, schemas))
    for (const route of localizationRoutes(localizations)) contribute(routes, route)
    contribute(graphqlFeatures, localizationFeature(localizations))
    contribute(restoreSteps, async (tx, { content: isContent }) => isContent && filler.fill(tx))
    // Before the check of the search index, which contains locales.
    on(appStart, () => filler.fillAll(), { before: ['*', 'search'] })
  },
})
