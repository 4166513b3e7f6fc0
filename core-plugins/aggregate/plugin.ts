import { definePlugin } from '../../kernel/index.ts'
import { authService } from '../auth/auth.ts'
import { contentQueriesService, createAddedParameters, entryParameters } from '../content/content.ts'
import { databaseService } from '../database/database.ts'
import { routes } from '../http/http.ts'
import { schemasService } from '../schemas/schemas.ts'
import { aggregateService } from './aggregate.ts'
import { createAggregates } from './aggregates.ts'
import { aggregateRoute } from './route.ts'

/** Aggregates over the entries of a type. */
export const aggregatePlugin = definePlugin({
  name: 'aggregate',
  description: 'Counts, sums, averages, smallest and largest values of entries, also by group',
  uses: {
    auth: authService,
    contentQueries: contentQueriesService,
    database: databaseService,
    schemas: schemasService,
  },
  provides: [aggregateService],

  init({ services: { auth, contentQueries, database, schemas }, provide, contribute, contributions }) {
    const aggregates = createAggregates({ auth, database, contentQueries })
    provide(aggregateService, aggregates)
    const added = createAddedParameters(() => contributions(entryParameters))
    contribute(routes, aggregateRoute(aggregates, schemas, added))
  },
})
