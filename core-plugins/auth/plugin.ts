import { appStart, definePlugin, repeat } from '../../kernel/index.ts'
import { configService, settings } from '../config/config.ts'
import { databaseService, tables } from '../database/database.ts'
import { authenticators, policies, routeGuards, routes } from '../http/http.ts'
import { schemasService } from '../schemas/schemas.ts'
import { adminRecoveryService, authService, contentUserSignInService } from './auth.ts'
import { composeAuth } from './compose-auth.ts'
import { routeGuard } from './route-guard.ts'
import { authSettings } from './settings.ts'
import { authTables } from './tables.ts'

const sweepEveryMs = 10 * 60_000

/** Who is calling, and what they may do: accounts, sessions, roles and API tokens. */
export const authPlugin = definePlugin({
  name: 'auth',
  description: 'Admin users, content users, roles and API tokens: signs in, and judges who may do what',
  uses: { config: configService, database: databaseService, schemas: schemasService },
  provides: [authService, contentUserSignInService, adminRecoveryService],

  register({ contribute }) {
    for (const setting of authSettings) contribute(settings, setting)
    for (const table of authTables) contribute(tables, table)
    contribute(routeGuards, routeGuard)
  },

  init(context) {
    const { contribute, provide, on, log, onDispose } = context
    const parts = composeAuth(context)
    provide(authService, parts.auth)
    provide(adminRecoveryService, parts.adminRecovery)
    provide(contentUserSignInService, parts.contentUserSignIn)
    contribute(authenticators, parts.authenticator)
    for (const policy of parts.policies) contribute(policies, policy)
    for (const route of parts.routes) contribute(routes, route)
    // Tables are there when everybody has booted, and requests come after this hook.
    on(appStart, () => parts.start())
    const sweeping = repeat(parts.sweep, {
      everyMs: sweepEveryMs,
      onError: (error) => log.warn({ err: error }, 'expired tokens could not be cleaned up; trying again'),
    })
    onDispose(sweeping.stop)
  },
})
