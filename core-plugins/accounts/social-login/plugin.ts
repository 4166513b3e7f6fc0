import { definePlugin } from '../../../kernel/index.ts'
import { auditService } from '../../background/audit/audit.ts'
import { configService, settings } from '../../foundation/config/config.ts'
import { databaseService, tables } from '../../foundation/database/database.ts'
import { httpService, routes } from '../../foundation/http/http.ts'
import { authService, contentUserSignInService } from '../auth/auth.ts'
import { createAttemptSeal } from './attempt.ts'
import { createBulkhead } from './bulkhead.ts'
import { createUserFinder } from './find-user.ts'
import { createIdentities } from './identities.ts'
import { socialLoginRoutes } from './routes.ts'
import { configuredProviders, socialLoginSettings, timeoutMs } from './settings.ts'
import { identityLinked } from './social-login.ts'
import { identitiesTable, usedStatesTable } from './tables.ts'
import { createUsedStates, removeExpiredRegularly } from './used-states.ts'

/** How many callbacks of one process may wait for a provider at the same time. */
const maxExchanges = 64

/** Content users sign in with Google, GitHub, Facebook or VK; a provider without keys has no routes. */
export const socialLoginPlugin = definePlugin({
  name: 'social-login',
  description: 'Lets content users sign in with Google, GitHub, Facebook and VK',
  uses: {
    auth: authService,
    users: contentUserSignInService,
    config: configService,
    database: databaseService,
    http: httpService,
  },
  usesIfPresent: { audit: auditService },
  hooks: [identityLinked],

  register({ contribute }) {
    for (const setting of socialLoginSettings) contribute(settings, setting)
    contribute(tables, identitiesTable.spec)
    contribute(tables, usedStatesTable.spec)
  },

  async init({ services, contribute, emit, log, onDispose }) {
    const { auth, users, config, database, http, audit } = services
    const providers = configuredProviders(config)
    if (providers.length === 0) return
    const identities = createIdentities(database)
    const usedStates = createUsedStates(database)
    const shared = {
      ...{ config, http, users, usedStates },
      findUser: createUserFinder({ database, config, users, identities, audit, emit }),
      seal: createAttemptSeal(auth.keyFor('social login')),
      inBulkhead: createBulkhead(maxExchanges),
    }
    // The OAuth library costs memory that services without social login need not spend.
    const { createExchange } = await import('./exchange.ts')
    for (const provider of providers) {
      const exchange = createExchange(provider, config.get(timeoutMs))
      for (const route of socialLoginRoutes({ ...shared, provider, exchange })) contribute(routes, route)
    }
    onDispose(removeExpiredRegularly(usedStates, log))
  },
})
