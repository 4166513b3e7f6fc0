import { appStart, assertUniqueNames, definePlugin } from '../../../kernel/index.ts'
import { authService } from '../../accounts/auth/auth.ts'
import { jobKinds, jobsService } from '../../background/jobs/jobs.ts'
import { defineSchedule, schedules } from '../../background/schedules/schedules.ts'
import { changeLogService } from '../../entries/changes/changes.ts'
import {
  contentQueriesService,
  contentService,
  contentWriteMiddleware,
  entrySearches,
} from '../../entries/content/content.ts'
import { configService, defaultLocale, locales } from '../../foundation/config/config.ts'
import {
  databaseService,
  StepKeeper,
  schemaRecordService,
  tables,
} from '../../foundation/database/database.ts'
import { policies, routes } from '../../foundation/http/http.ts'
import { schemasService } from '../../foundation/schemas/schemas.ts'
import { restoreSteps } from '../../foundation/sections/sections.ts'
import { threadsService } from '../../foundation/threads/threads.ts'
import { graphqlFeatures } from '../graphql/graphql.ts'
import { createDocumentMaker } from './document-maker.ts'
import { createEngine } from './engines/create-engine.ts'
import { createFinder } from './finder.ts'
import { createIndexComparison } from './index-comparison.ts'
import { indexWrites } from './index-stage.ts'
import { createIndexState, statesTable } from './index-state.ts'
import { createListSearch } from './list-search.ts'
import { createRebuild } from './rebuild.ts'
import { readAnyPolicy, searchRoute } from './route.ts'
import { type Search, searchService } from './search.ts'
import { searchFeature } from './search-feature.ts'
import { createSearchLocales } from './search-locales.ts'
import { createSearchedTexts } from './searched-texts.ts'
import { createTidyJob } from './tidy.ts'
import { searchTokenizers } from './tokenizer.ts'
import { createTokenizers } from './tokenizers.ts'
import { createVocabulary, vocabularyTable } from './vocabulary.ts'

/** Full-text search over all content types, with an index in the database. */
export const searchPlugin = definePlugin({
  name: 'search',
  description: 'Full-text search over all content types, with the engine of the database',
  uses: {
    auth: authService,
    config: configService,
    content: contentService,
    contentQueries: contentQueriesService,
    database: databaseService,
    jobs: jobsService,
    schemaRecord: schemaRecordService,
    schemas: schemasService,
  },
  usesIfPresent: { changeLog: changeLogService, threads: threadsService },
  provides: [searchService],
  points: [searchTokenizers],

  register({ contribute }) {
    for (const table of [statesTable, vocabularyTable]) contribute(tables, table.spec)
  },

  init({ services, provide, contribute, contributions, on, onDispose, log }) {
    const { auth, changeLog, config, contentQueries, database, jobs, schemaRecord, schemas, threads } =
      services
    const engine = createEngine(database)
    const tokenizers = createTokenizers(() => contributions(searchTokenizers))
    const index = {
      engine,
      texts: createSearchedTexts(schemas),
      state: createIndexState(database, engine.table),
      defaultLocale: () => config.get(defaultLocale),
      tokenizers,
      documents: createDocumentMaker({ dialect: database.dialect.name, tokenizers, threads, log }),
      vocabulary: createVocabulary(database),
    }
    const searchLocales = createSearchLocales(config)
    const hasColumn = (table: string, column: string) =>
      contributions(tables).some(
        ({ name, columns }) => name === table && columns.some((each) => each.name === column),
      )
    const rebuild = createRebuild({
      ...{ ...index, database, schemas, jobs, changeLog },
      comparison: createIndexComparison(database, engine.table),
      hasLocale: ({ table }) => hasColumn(table, 'locale'),
    })
    const search: Search = {
      search: createFinder({ ...services, ...index, locales: searchLocales }),
      requestRebuild: (tx) => rebuild.request(tx, 'all'),
    }
    provide(searchService, search)
    // Innermost, so that it sees the stored entry before other stages change it.
    contribute(contentWriteMiddleware, indexWrites(index), { after: ['*'] })
    contribute(entrySearches, createListSearch({ ...index, locales: searchLocales }))
    contribute(jobKinds, rebuild.job)
    contribute(restoreSteps, async (tx, { content }) => content && rebuild.request(tx, 'all'))
    contribute(policies, readAnyPolicy(auth, schemas))
    contribute(routes, searchRoute(search))
    contribute(graphqlFeatures, searchFeature(search))
    const refresh = () => database.transaction((tx) => rebuild.request(tx, 'stale'))
    const tidy = createTidyJob({ database, engine, refresh: (tx) => rebuild.request(tx, 'stale') })
    contribute(jobKinds, tidy)
    contribute(
      schedules,
      defineSchedule({ name: tidy.name, kind: tidy, payload: {}, cronExpression: '0 3 * * 0' }),
    )
    config.onChange(locales, () => contentQueries.forgetQueries())
    config.onChange(defaultLocale, () => {
      contentQueries.forgetQueries()
      refresh().catch((error) =>
        log.error({ err: error }, 'the search index could not be rebuilt for the new locale'),
      )
    })
    const keeper = new StepKeeper({
      ...{ record: schemaRecord, table: statesTable.name, log, againMs: 300_000, onMissed: refresh },
    })
    onDispose(() => keeper.stop())
    // Before the server listens, so that the index tables exist for every write.
    on(
      appStart,
      async () => {
        await engine.prepare()
        if (!(await rebuild.noteEmptyTypes())) await refresh()
        await keeper.start()
      },
      { step: 'prepare', before: ['*'] },
    )
  },

  boot({ contributionsByPlugin }) {
    assertUniqueNames('tokenizer', contributionsByPlugin(searchTokenizers))
  },
})
