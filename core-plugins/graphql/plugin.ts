import { definePlugin } from '../../kernel/index.ts'
import { authService } from '../auth/auth.ts'
import { configService, settings } from '../config/config.ts'
import { contentService, defaultPageLimit, maxPageLimit } from '../content/content.ts'
import { httpService, policies, routes } from '../http/http.ts'
import { schemasService } from '../schemas/schemas.ts'
import { graphqlService } from './graphql.ts'
import { createLazyEngine } from './lazy-engine.ts'
import { createPlayground } from './playground.ts'
import { endpointRoutes, usePolicy } from './routes.ts'
import { cacheMaxAge, introspection, maxCost, maxDepth, playground as playgroundSetting } from './settings.ts'

/** The content types over GraphQL; decisions.md, 11. */
export const graphqlPlugin = definePlugin({
  name: 'graphql',
  displayName: 'GraphQL',
  description: 'GraphQL endpoint over the content types, with a playground and persisted queries',
  uses: {
    config: configService,
    content: contentService,
    schemas: schemasService,
    auth: authService,
    http: httpService,
  },
  provides: [graphqlService],

  register({ contribute }) {
    for (const setting of [maxDepth, maxCost, introspection, playgroundSetting, cacheMaxAge]) {
      contribute(settings, setting)
    }
  },

  init({ services, provide, contribute, log }) {
    const { config, content, schemas, auth, http } = services
    const engine = createLazyEngine({
      schemas,
      content,
      auth,
      options: () => ({
        maxDepth: config.get(maxDepth),
        maxCost: config.get(maxCost),
        introspection: config.get(introspection),
        defaultLimit: config.get(defaultPageLimit),
        maxLimit: config.get(maxPageLimit),
      }),
      logFailure: (error) => log.error({ err: error }, 'a GraphQL field failed'),
    })
    for (const setting of [maxDepth, maxCost, defaultPageLimit, maxPageLimit]) {
      config.onChange(setting, () => engine.clear())
    }
    provide(graphqlService, { execute: async (request) => (await engine.load()).execute(request) })
    contribute(policies, usePolicy(auth, schemas))
    const playground = createPlayground(http, config)
    for (const route of [...endpointRoutes(engine, playground, config), ...playground.routes]) {
      contribute(routes, route)
    }
  },
})
