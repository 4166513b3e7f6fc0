import { definePlugin } from '../../../kernel/index.ts'
import { authService } from '../../accounts/auth/auth.ts'
import { configService, defaultLocale, locales } from '../../foundation/config/config.ts'
import { policies, routes } from '../../foundation/http/http.ts'
import { schemasService } from '../../foundation/schemas/schemas.ts'
import { contentQueriesService } from '../content/content.ts'
import { typeFacts } from './content-types.ts'
import { createDescriptions } from './descriptions.ts'
import { describePolicy, descriptionRoutes } from './routes.ts'

/** Serves content types and components as data, for clients that generate forms and lists from them. */
export const contentTypesPlugin = definePlugin({
  name: 'content-types',
  description: 'Describes content types and components to clients, as far as the caller may read them',
  uses: { auth: authService, config: configService, schemas: schemasService },
  usesIfPresent: { contentQueries: contentQueriesService },
  points: [typeFacts],

  init({ services: { auth, config, contentQueries, schemas }, contribute, contributions }) {
    const descriptions = createDescriptions({
      ...{ schemas, auth },
      facts: () => contributions(typeFacts),
      addedFieldsOf: ({ name }) => contentQueries?.addedFields(name) ?? [],
    })
    config.onChange(locales, descriptions.forget)
    config.onChange(defaultLocale, descriptions.forget)
    contribute(policies, describePolicy)
    for (const route of descriptionRoutes(descriptions.for)) contribute(routes, route)
  },
})
