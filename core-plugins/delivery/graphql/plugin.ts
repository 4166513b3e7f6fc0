import { definePlugin } from '../../../kernel/index.ts'
import { authService } from '../../accounts/auth/auth.ts'
import { changeLogService } from '../../entries/changes/changes.ts'
import {
  contentQueriesService,
  contentService,
  defaultPageLimit,
  maxPageLimit,
  offeredOperationsService,
  storedEntriesService,
} from '../../entries/content/content.ts'
import { configService, settings } from '../../foundation/config/config.ts'
import {
  compileAccess,
  httpService,
  policies,
  routeGuards,
  routes,
  socketRoutes,
} from '../../foundation/http/http.ts'
import { schemasService } from '../../foundation/schemas/schemas.ts'
import { liveService } from '../live/live.ts'
import { contentMutations } from './content-mutations.ts'
import { endpointRoutes, usePolicy } from './endpoint/routes.ts'
import { createLazyExecutor } from './execution/lazy-executor.ts'
import { graphqlExtensions, graphqlFeatures, graphqlService } from './graphql.ts'
import { createPlayground } from './playground/playground.ts'
import { federation, graphqlSettings, introspection, maxCost, maxDepth } from './settings.ts'
import { composeSubscriptions, hasSubscriptions } from './subscriptions/compose-subscriptions.ts'
import { subscriptionsRoute } from './subscriptions/routes.ts'

/** The content types over GraphQL; see docs/graphql.md. */
export const graphqlPlugin = definePlugin({
  name: 'graphql',
  description: 'GraphQL endpoint over the content types, with a playground and persisted queries',
  uses: {
    config: configService,
    content: contentService,
    contentQueries: contentQueriesService,
    storedEntries: storedEntriesService,
    schemas: schemasService,
    auth: authService,
    http: httpService,
    operations: offeredOperationsService,
  },
  usesIfPresent: { live: liveService, changes: changeLogService },
  provides: [graphqlService],
  points: [graphqlExtensions, graphqlFeatures],

  register({ contribute }) {
    for (const setting of graphqlSettings) contribute(settings, setting)
  },

  init({ services, provide, contribute, contributions, contributionsByPlugin, log }) {
    const { config, content, contentQueries, storedEntries, schemas, auth, http, operations } = services
    const logFailure = (error: unknown) => log.error({ err: error }, 'a GraphQL field failed')
    const executor = createLazyExecutor({
      schemas,
      // Unguarded, since the plan of each operation checks permissions.
      content: content.unguarded,
      contentQueries,
      operations,
      auth,
      options: () => ({
        maxDepth: config.get(maxDepth),
        maxCost: config.get(maxCost),
        introspection: config.get(introspection),
        pageLimits: contentQueries.pageLimits,
      }),
      isSubgraph: () => config.get(federation),
      extensions: () => contributionsByPlugin(graphqlExtensions),
      features: () => contributionsByPlugin(graphqlFeatures),
      systemEntries: (type) => storedEntries.systemEntries(type, []),
      checkOf: (rule) =>
        compileAccess(rule, { policies: contributions(policies), guards: contributions(routeGuards) }),
      logFault: (plugin, error) =>
        log.error({ err: error, plugin }, `the GraphQL fields of ${plugin} are left out`),
      hasSubscriptions: hasSubscriptions(services),
      logFailure,
    })
    for (const setting of [maxDepth, maxCost, defaultPageLimit, maxPageLimit]) {
      config.onChange(setting, () => executor.clear())
    }
    provide(graphqlService, {
      execute: async (request) => (await executor.load()).execute(request),
      schemaText: async () => (await executor.load()).schemaText(),
    })
    contribute(graphqlFeatures, contentMutations(operations))
    contribute(policies, usePolicy(auth, schemas))
    const playground = createPlayground(http, config)
    const subscriptions = composeSubscriptions(services, { executor, logFailure })
    if (subscriptions !== undefined) contribute(socketRoutes, subscriptionsRoute(subscriptions))
    const endpoint = endpointRoutes(executor, { playground, config, subscriptions })
    for (const route of [...endpoint, ...playground.routes]) contribute(routes, route)
  },
})
