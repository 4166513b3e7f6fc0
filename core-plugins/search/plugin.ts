import { appStart, definePlugin } from '../../kernel/index.ts'
import { authService } from '../auth/auth.ts'
import { restoreSteps } from '../backups/backups.ts'
import { configService, defaultLocale, locales } from '../config/config.ts'
import { contentService, contentWriteMiddleware, entrySearches } from '../content/content.ts'
import { databaseService, tables } from '../database/database.ts'
import { policies, routes } from '../http/http.ts'
import { jobKinds, jobsService } from '../jobs/jobs.ts'
import { schemasService } from '../schemas/schemas.ts'
import { createEngine } from './engines/create-engine.ts'
import { createFinder } from './finder.ts'
import { indexWrites } from './index-stage.ts'
import { createIndexState, statesTable } from './index-state.ts'
import { createListSearch } from './list-search.ts'
import { createRebuild } from './rebuild.ts'
import { readAnyPolicy, searchRoute } from './route.ts'
import { type Search, searchService } from './search.ts'
import { createSearchedTexts } from './searched-texts.ts'

/** Full-text search over all content types, in an index that the database keeps. */
export const searchPlugin = definePlugin({
  name: 'search',
  description: 'Full-text search over all content types, with the engine of the database',
  uses: {
    auth: authService,
    config: configService,
    content: contentService,
    database: databaseService,
    jobs: jobsService,
    schemas: schemasService,
  },
  provides: [searchService],

  register({ contribute }) {
    contribute(tables, statesTable)
  },

  init({ services, provide, contribute, contributions, on, log }) {
    const { auth, config, content, database, jobs, schemas } = services
    const engine = createEngine(database)
    const index = {
      engine,
      texts: createSearchedTexts(schemas),
      state: createIndexState(database, engine.table),
      defaultLocale: () => config.get(defaultLocale),
    }
    /** In whose languages entries may be. */
    const allLocales = () => [...new Set([...config.get(locales), config.get(defaultLocale)])]
    const hasColumn = (table: string, column: string) =>
      contributions(tables).some(
        ({ name, columns }) => name === table && columns.some((each) => each.name === column),
      )
    const rebuild = createRebuild({
      ...{ ...index, database, schemas, jobs },
      hasLocale: ({ table }) => hasColumn(table, 'locale'),
    })
    const search: Search = {
      search: createFinder({ ...services, ...index, locales: allLocales }),
      requestRebuild: (tx) => rebuild.request(tx, 'all'),
    }
    provide(searchService, search)
    contribute(contentWriteMiddleware, indexWrites(index))
    contribute(entrySearches, createListSearch({ ...index, locales: allLocales }))
    contribute(jobKinds, rebuild.job)
    contribute(restoreSteps, async (tx, { content }) => content && rebuild.request(tx, 'all'))
    contribute(policies, readAnyPolicy(auth, schemas))
    contribute(routes, searchRoute(search))
    const refresh = () => database.transaction((tx) => rebuild.request(tx, 'stale'))
    config.onChange(locales, () => content.forgetQueries())
    config.onChange(defaultLocale, () => {
      content.forgetQueries()
      refresh().catch((error) => log.error({ err: error }, 'the search index is not made for the new locale'))
    })
    // Before anything listens, so that no write finds the index without its tables.
    on(
      appStart,
      async () => {
        await engine.prepare()
        await refresh()
      },
      { order: -1000 },
    )
  },
})
