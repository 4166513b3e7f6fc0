import { definePlugin } from '../../../kernel/index.ts'
import { accountWrites, authService } from '../../accounts/auth/auth.ts'
import { auditService } from '../../background/audit/audit.ts'
import { type Config, configService, settings } from '../../foundation/config/config.ts'
import {
  conversionsService,
  databaseService,
  draftEndings,
  schemaRecordService,
  schemaSynced,
  tables,
  trashEndings,
  uniqueWaitsService,
} from '../../foundation/database/database.ts'
import { policies, routes } from '../../foundation/http/http.ts'
import { type ContentType, schemasService } from '../../foundation/schemas/schemas.ts'
import { restoreSteps } from '../../foundation/sections/sections.ts'
import { AnswerBudget } from './answer-budget.ts'
import { assertEntryColumns } from './assert-entry-columns.ts'
import { batchRecorders } from './batch-recorder.ts'
import { composeContent } from './compose-content.ts'
import { assertAnswering, assertMatchable } from './content-target.ts'
import { findDraftsOnce } from './drafts/draft-overlay.ts'
import { createDraftEnding } from './drafts/ending-drafts.ts'
import { createTrashEnding } from './drafts/ending-trash.ts'
import { pendingDrafts } from './drafts/pending-drafts.ts'
import {
  attributeHistoryService,
  attributeNamesTable,
  createAttributeHistory,
} from './entry/attribute-history.ts'
import { type EntryChangeListener, entryChanges } from './entry/entry-changes.ts'
import {
  entryCreated,
  entryDeleted,
  entryDraftChanged,
  entryPublished,
  entryPurged,
  entryUnpublished,
  entryUpdated,
} from './entry/entry-events.ts'
import {
  createAddedParameters,
  entryColumns,
  entryLocks,
  entryParameters,
  entrySearches,
  referenceChecks,
  standIns,
} from './entry/entry-extensions.ts'
import { createMetaOf, entryMeta } from './entry/entry-meta.ts'
import { compileModels } from './entry/entry-model.ts'
import { emptyEntryTables, entryTables } from './entry/entry-tables.ts'
import { createUuidFiller } from './entry/fill-uuids.ts'
import { offeredOperationsService } from './operations/offered-operations.ts'
import { pageLimitsOf } from './page-limits.ts'
import { createParametersOf, createSearchOf } from './query/restriction.ts'
import { ReadPlans } from './read/read-plans.ts'
import { createReadStages } from './read/read-stages.ts'
import { readGates } from './read-gate.ts'
import { contentReadMiddleware } from './read-middleware.ts'
import { administratePolicy, checkPolicy, contentRoutes } from './routes/content-routes.ts'
import { contentQueriesService } from './services/content-queries-service.ts'
import { contentService } from './services/content-service.ts'
import { bulkWritesService, trashService } from './services/guarded-writes.ts'
import { storedEntriesService } from './services/stored-entries-service.ts'
import { defaultLimit, maxLimit, maxQueryWeight, maxResponseBytes, maxResponseEntries } from './settings.ts'
import { findShownOnce, shownValues } from './shown-values.ts'
import { recordWrites } from './write/record-writes.ts'
import { singleClaimsTable } from './write/single-claims.ts'
import { contentWriteMiddleware } from './write-middleware.ts'

/** Entries: reading, writing and publishing them over REST, and for other plugins. */
export const contentPlugin = definePlugin({
  name: 'content',
  description: 'Entries of the content types: REST API, drafts, relations, components, filters',
  uses: {
    config: configService,
    database: databaseService,
    schemaRecord: schemaRecordService,
    conversions: conversionsService,
    uniqueWaits: uniqueWaitsService,
    schemas: schemasService,
    auth: authService,
  },
  usesIfPresent: { audit: auditService },
  provides: [
    contentService,
    bulkWritesService,
    offeredOperationsService,
    trashService,
    storedEntriesService,
    contentQueriesService,
    attributeHistoryService,
  ],
  points: [
    contentReadMiddleware,
    readGates,
    contentWriteMiddleware,
    entryChanges,
    entryColumns,
    shownValues,
    entryParameters,
    standIns,
    entrySearches,
    entryMeta,
    entryTables,
    entryLocks,
    referenceChecks,
    pendingDrafts,
    batchRecorders,
  ],
  hooks: [
    entryCreated,
    entryUpdated,
    entryDeleted,
    entryPublished,
    entryUnpublished,
    entryDraftChanged,
    entryPurged,
  ],

  register({ contribute }) {
    contribute(settings, defaultLimit)
    contribute(settings, maxLimit)
    contribute(settings, maxQueryWeight)
    contribute(settings, maxResponseEntries)
    contribute(settings, maxResponseBytes)
    contribute(tables, singleClaimsTable.spec)
    contribute(tables, attributeNamesTable.spec)
  },

  init({ services, provide, contribute, contributions, emit, on }) {
    const { config, database, conversions, schemas, audit, auth } = services
    const changed: EntryChangeListener = (change, tx) => {
      for (const listen of contributions(entryChanges)) listen(change, tx)
    }
    const models = compileModels(schemas, {
      columnsOfPlugins: contributions(entryColumns),
      conversions,
      shownBy: findShownOnce(() => contributions(shownValues)),
    })
    const reading = {
      ...{ database, conversions, schemas, auth, changed, models },
      metaOf: createMetaOf(() => contributions(entryMeta)),
      draftsOf: findDraftsOnce(() => contributions(pendingDrafts), models),
      readStages: createReadStages(() => contributions(contentReadMiddleware)),
      parametersOf: createParametersOf(() => contributions(entryParameters)),
      standInsOf: createParametersOf(() => contributions(standIns)),
      searchOf: createSearchOf(() => contributions(entrySearches)),
      maxWeight: () => config.get(maxQueryWeight),
    }
    const pageLimits = (type?: ContentType) => pageLimitsOf(type, config)
    const plans = new ReadPlans(reading, pageLimits)
    for (const setting of [defaultLimit, maxLimit, maxQueryWeight])
      config.onChange(setting, () => plans.clear())
    on(schemaSynced, () => plans.clear())
    const composed = composeContent({
      ...{ ...reading, plans, emit, schemaRecord: services.schemaRecord, uniqueWaits: services.uniqueWaits },
      answerBudget: () => answerBudgetNow(config),
      pageLimits,
      readGate: () => contributions(readGates)[0],
      checks: () => contributions(referenceChecks),
      recordBatch: (write) => contributions(batchRecorders)[0]?.(write),
      contributions: () => ({
        stages: contributions(contentWriteMiddleware),
        locks: contributions(entryLocks),
      }),
    })
    const [uuids, history] = [createUuidFiller(database, schemas), createAttributeHistory(database, schemas)]
    provide(attributeHistoryService, history)
    for (const step of [uuids.fill, history.openAgain]) contribute(restoreSteps, step)
    on(schemaSynced, () => history.declare())
    contribute(accountWrites, composed.followAccounts)
    if (audit !== undefined) contribute(contentWriteMiddleware, recordWrites(audit))
    const besideEntries = () => contributions(entryTables)
    contribute(contentWriteMiddleware, emptyEntryTables(database, besideEntries))
    provide(contentService, composed.content)
    provide(bulkWritesService, composed.bulkWrites)
    provide(trashService, composed.trash)
    provide(storedEntriesService, composed.storedEntries)
    provide(contentQueriesService, composed.contentQueries)
    provide(offeredOperationsService, composed.operations)
    const [bulkWrites, trash] = [composed.bulkWrites.unguarded, composed.trash.unguarded]
    contribute(draftEndings, createDraftEnding({ bulkWrites, trash, schemas, database, auth }))
    contribute(trashEndings, createTrashEnding(trash, reading))
    const added = createAddedParameters(() => contributions(entryParameters))
    const addedToReads = createAddedParameters(() => contributions(standIns))
    for (const policy of [administratePolicy(auth), checkPolicy(auth, schemas)]) contribute(policies, policy)
    const { operations, writes } = composed
    // The policies of the routes check permissions.
    const reads = composed.content.unguarded
    for (const route of contentRoutes({
      ...{ reads, operations, writes, schemas, added, addedToReads },
      addedFields: ({ name }) => composed.contentQueries.addedFields(name),
    }))
      contribute(routes, route)
    return { uuids, history }
  },

  async boot({ services, state: { uuids, history }, contributions, contributionsByPlugin, reportProgress }) {
    const { allTypes } = services.schemas
    assertEntryColumns(contributionsByPlugin(entryColumns), allTypes.values(), contributions(tables))
    const stages = [...contributions(contentReadMiddleware), ...contributions(contentWriteMiddleware)]
    assertMatchable(stages, services.schemas.types.values())
    const restricting = [...contributions(entryParameters), ...contributions(entrySearches)]
    const ofEntries = [...contributions(entryLocks), ...contributions(entryTables)]
    assertAnswering([...restricting, ...ofEntries], allTypes.values())
    assertAnswering(contributions(entryMeta), services.schemas.types.values())
    await history.open(services.schemaRecord)
    await uuids.fillAll(reportProgress)
  },
})

function answerBudgetNow(config: Config): AnswerBudget {
  return new AnswerBudget({
    maxEntries: config.get(maxResponseEntries),
    maxBytes: config.get(maxResponseBytes),
    maxWeight: config.get(maxQueryWeight),
  })
}
