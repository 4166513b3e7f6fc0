import { definePlugin } from '../../../kernel/index.ts'
import { authService } from '../../accounts/auth/auth.ts'
import { auditService } from '../../background/audit/audit.ts'
import { configService, runtimeSettingsService } from '../../foundation/config/config.ts'
import { databaseService, tables } from '../../foundation/database/database.ts'
import { routes } from '../../foundation/http/http.ts'
import { transferSections } from '../../foundation/sections/sections.ts'
import { signalsService } from '../../foundation/signals/signals.ts'
import { createConfigStore } from './config-store.ts'
import { createRuntimeConfig } from './create-runtime-config.ts'
import { createFollower } from './follow.ts'
import { createConfigRoutes } from './routes.ts'
import { configChanged, runtimeConfigService } from './runtime-config.ts'
import { settingsSection } from './settings-section.ts'
import { configStateTable, configTable } from './tables.ts'

/** The settings that administrators change while the service runs. */
export const runtimeConfigPlugin = definePlugin({
  name: 'runtime-config',
  description: 'Keeps the settings of the runtime tier in the database, and lets administrators change them',
  uses: {
    auth: authService,
    config: configService,
    runtimeSettings: runtimeSettingsService,
    database: databaseService,
  },
  usesIfPresent: { signals: signalsService, audit: auditService },
  provides: [runtimeConfigService],
  hooks: [configChanged],

  register({ contribute }) {
    contribute(tables, configTable.spec)
    contribute(tables, configStateTable.spec)
  },

  init({ services, provide, contribute, emit, log }) {
    const { auth, config, runtimeSettings, database, signals, audit } = services
    const store = createConfigStore(database)
    const follower = createFollower({ store, runtimeSettings, signals, log })
    const parts = { database, store, follower, runtimeSettings, signals, audit, auth, emit }
    const runtimeConfig = createRuntimeConfig(parts)
    provide(runtimeConfigService, runtimeConfig)
    for (const route of createConfigRoutes({ config, runtimeSettings, runtimeConfig })) {
      contribute(routes, route)
    }
    contribute(transferSections, settingsSection({ auth, runtimeSettings, runtimeConfig }))
    return { store, follower }
  },

  // Runs before everything else: others may read settings from the first moment on.
  async boot({ state: { store, follower }, onDispose }) {
    await store.prepare()
    await follower.refresh()
    onDispose(follower.start())
  },
})
