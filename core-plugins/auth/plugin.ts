import { definePlugin } from '../../kernel/index.ts'
import { configService, settings } from '../config/config.ts'
import { databaseService, tables } from '../database/database.ts'
import { authenticators, policies, routeGuards, routes } from '../http/http.ts'
import { schemasService } from '../schemas/schemas.ts'
import { authService } from './auth.ts'
import { composeAuth } from './compose-auth.ts'
import { routeGuard } from './route-guard.ts'
import { standardScopes } from './scopes.ts'
import { authSettings } from './settings.ts'
import { authTables } from './tables.ts'

const sweepEveryMs = 10 * 60_000

export const authPlugin = definePlugin({
  name: 'auth',
  description: 'Signs in admin and content users, and judges what roles and API tokens may do.',
  uses: { config: configService, database: databaseService, schemas: schemasService },
  provides: [authService],

  register({ contribute }) {
    for (const setting of authSettings) contribute(settings, setting)
    for (const table of authTables) contribute(tables, table)
    contribute(routeGuards, routeGuard)
  },

  init(context) {
    const parts = composeAuth(context)
    context.provide(authService, parts.auth)
    context.contribute(authenticators, parts.authenticator)
    for (const policy of parts.policies) context.contribute(policies, policy)
    for (const route of parts.routes) context.contribute(routes, route)
    started.set(context.services.database, parts)
  },

  async boot(context) {
  },
})
