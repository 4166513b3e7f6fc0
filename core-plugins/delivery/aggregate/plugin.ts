import { definePlugin } from '../../../kernel/index.ts'
import { authService } from '../../accounts/auth/auth.ts'
import {
  contentQueriesService,
  contentService,
  createAddedParameters,
  entryParameters,
  standIns,
} from '../../entries/content/content.ts'
import { databaseService } from '../../foundation/database/database.ts'
import { routes } from '../../foundation/http/http.ts'
import { schemasService } from '../../foundation/schemas/schemas.ts'
import { graphqlFeatures } from '../graphql/graphql.ts'
import { type Aggregates, aggregateService } from './aggregate.ts'
import { aggregateFeature } from './aggregate-feature.ts'
import { createAggregates } from './aggregates.ts'
import { createDistinct } from './distinct.ts'
import { distinctFeature } from './distinct-feature.ts'
import { distinctRoute } from './distinct-route.ts'
import { aggregateRoute } from './route.ts'

/** Aggregates over the entries of a type. */
export const aggregatePlugin = definePlugin({
  name: 'aggregate',
  description:
    'Counts, sums, averages, smallest and largest values of entries, also by group; distinct values',
  uses: {
    auth: authService,
    content: contentService,
    contentQueries: contentQueriesService,
    database: databaseService,
    schemas: schemasService,
  },
  provides: [aggregateService],

  init({ services, provide, contribute, contributions }) {
    const { auth, content, contentQueries, database, schemas } = services
    const aggregates: Aggregates = {
      ...createAggregates({ auth, database, contentQueries }),
      ...createDistinct({
        ...{ auth, database, contentQueries, reads: content.unguarded },
      }),
    }
    provide(aggregateService, aggregates)
    const added = createAddedParameters(() => contributions(entryParameters))
    const addedToReads = createAddedParameters(() => contributions(standIns))
    contribute(routes, aggregateRoute(aggregates, schemas, added))
    contribute(
      routes,
      distinctRoute(aggregates, schemas, (type) => ({ ...addedToReads(type), ...added(type) })),
    )
    contribute(graphqlFeatures, aggregateFeature(aggregates, contentQueries))
    contribute(graphqlFeatures, distinctFeature(aggregates, contentQueries, schemas))
  },
})
