import { definePlugin } from '../../kernel/index.ts'
import { authService } from '../auth/auth.ts'
import { backupTables } from '../backups/backups.ts'
import { configService, settings } from '../config/config.ts'
import { databaseService, draftEndings, tables } from '../database/database.ts'
import { policies, routes } from '../http/http.ts'
import { schemasService } from '../schemas/schemas.ts'
import { AnswerBudget } from './answer-budget.ts'
import {
  contentReadMiddleware,
  contentService,
  contentWriteMiddleware,
  createAddedParameters,
  entryColumns,
  entryLocks,
  entryParameters,
  entrySearches,
  pendingDrafts,
  referenceJudges,
} from './content.ts'
import { expectJudgement } from './content-middleware.ts'
import { createContent } from './content-service.ts'
import { findDraftsOnce } from './draft-overlay.ts'
import { createDraftEnding } from './ending-drafts.ts'
import { compileModels } from './entry-model.ts'
import { createParametersOf, createSearchOf } from './query/restriction.ts'
import { createReadPlans } from './read/read-plans.ts'
import { createReadStages } from './read/read-stages.ts'
import { createReader } from './read/reader.ts'
import { createSelections } from './read/selection.ts'
import { createSingleIds } from './read/single-ids.ts'
import { administratePolicy, contentRoutes } from './routes.ts'
import { defaultLimit, maxLimit, maxQueryWeight, maxResponseBytes, maxResponseEntries } from './settings.ts'
import { createSystemEntries } from './system-entries.ts'
import { singleClaimsTable } from './write/single-claims.ts'
import { createWriter } from './write/writer.ts'

/** Entries: reading, writing and publishing them over REST, and for other plugins. */
export const contentPlugin = definePlugin({
  name: 'content',
  description: 'Entries of the content types: REST API, drafts, relations, components, filters',
  uses: { config: configService, database: databaseService, schemas: schemasService, auth: authService },
  provides: [contentService],

  register({ contribute }) {
    contribute(settings, defaultLimit)
    contribute(settings, maxLimit)
    contribute(settings, maxQueryWeight)
    contribute(settings, maxResponseEntries)
    contribute(settings, maxResponseBytes)
    contribute(tables, singleClaimsTable)
    contribute(backupTables, { table: singleClaimsTable.name, section: 'content' })
  },

  init({ services, provide, contribute, contributions, emit }) {
    const { config, database, schemas, auth } = services
    const models = compileModels(schemas, contributions(entryColumns))
    const parametersOf = createParametersOf(() => contributions(entryParameters))
    const searchOf = createSearchOf(() => contributions(entrySearches))
    const draftsOf = findDraftsOnce(() => contributions(pendingDrafts))
    const readStages = createReadStages(() => contributions(contentReadMiddleware))
    const answerBudget = () =>
      new AnswerBudget({
        maxEntries: config.get(maxResponseEntries),
        maxBytes: config.get(maxResponseBytes),
        maxWeight: config.get(maxQueryWeight),
      })
    const maxWeight = () => config.get(maxQueryWeight)
    const scope = {
      ...{ database, schemas, auth, models, draftsOf, readStages, parametersOf, searchOf },
      maxWeight,
    }
    const judges = () => contributions(referenceJudges)
    const singles = createSingleIds(scope)
    const plans = createReadPlans(scope, () => ({
      defaultLimit: config.get(defaultLimit),
      maxLimit: config.get(maxLimit),
    }))
    config.onChange(defaultLimit, () => plans.clear())
    config.onChange(maxLimit, () => plans.clear())
    config.onChange(maxQueryWeight, () => plans.clear())
    const reader = createReader({ ...scope, singles }, plans)
    const content = createContent({
      models: scope.models,
      reader,
      selections: createSelections(scope),
      draftsOf,
      writer: createWriter({
        ...{ ...scope, singles, emit, judges },
        stages: () => contributions(contentWriteMiddleware),
        locks: () => contributions(entryLocks),
      }),
      ...{ database, singles, forgetQueries: () => plans.clear(), readStages, answerBudget },
      system: (model, ownFields) =>
        createSystemEntries(model, ownFields, { ...scope, reader, answerBudget, judges }),
    })
    provide(contentService, content)
    contribute(draftEndings, createDraftEnding(content, scope))
    const added = createAddedParameters(() => contributions(entryParameters))
    contribute(policies, administratePolicy(auth))
    for (const route of contentRoutes(content, { auth, schemas, added })) contribute(routes, route)
  },

  boot({ services, contributions }) {
    const stages = [...contributions(contentReadMiddleware), ...contributions(contentWriteMiddleware)]
    expectJudgement(stages, services.schemas.types.values())
  },
})
