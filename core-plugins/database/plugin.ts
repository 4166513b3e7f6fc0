import { definePlugin, type Log, type PluginContext, StartupError } from '../../kernel/index.ts'
import { type Config, configService, settings } from '../config/config.ts'
import { readinessChecks, routes } from '../http/http.ts'
import {
  DatabaseError,
  databaseService,
  type SchemaChange,
  schemaSyncBlocked,
  schemaSynced,
  tables,
} from './database.ts'
import type { Driver } from './driver.ts'
import { shortenNames } from './identifier.ts'
import { openDatabase } from './open-database.ts'
import { databaseRoutes } from './routes.ts'
import * as setting from './settings.ts'
import { type SyncResult, synchronize } from './sync/synchronize.ts'

/** What `init` opened, for `boot`; each kernel has a config of its own. */
const opened = new WeakMap<Config, Driver>()

/** Opens the database, gives it the tables of all plugins at the start, and shows what that left undone. */
export const databasePlugin = definePlugin({
  name: 'database',
  description:
    'Keeps all data in SQLite, PostgreSQL, MySQL or MariaDB, and its tables as the plugins declare them.',
  uses: { config: configService },
  provides: [databaseService],

  register({ contribute }) {
    for (const each of setting.databaseSettings) contribute(settings, each)
  },

  async init(context) {
    const { contribute, contributions, log } = context
    const { config } = context.services
    const driver = await open(config, log)
    context.onDispose(() => driver.close())
    opened.set(config, driver)
    context.provide(databaseService, driver)
    contribute(readinessChecks, { name: 'database', check: () => driver.ping() })
    const target = {
      driver,
      declared: () => contributions(tables).map(shortenNames),
      onSync: ({ blocked }: SyncResult) => tellResult(blocked, context),
    }
    for (const route of databaseRoutes(target)) contribute(routes, route)
  },

  async boot(context) {
    const driver = opened.get(context.services.config)
    if (driver === undefined) throw new Error('the database was not opened')
    const declared = context.contributions(tables)
    driver.useTables(declared)
    const { applied, blocked } = await synchronize(driver, declared.map(shortenNames))
    for (const change of applied) context.log.debug({ ...change }, 'changed the schema')
    if (applied.length > 0) context.log.info({ changes: applied.length }, 'brought the schema up to date')
    await tellResult(blocked, context)
  },
})

async function open(config: Config, log: Log): Promise<Driver> {
  try {
    return await openDatabase({
      url: config.get(setting.databaseUrl),
      workingDirectory: config.workingDirectory,
      poolSize: config.get(setting.poolSize),
      transactionPoolSize: config.get(setting.transactionPoolSize),
      maxWaiting: config.get(setting.maxWaiting),
      waitTimeoutMs: config.get(setting.waitTimeoutMs),
      connectTimeoutMs: config.get(setting.connectTimeoutMs),
      queryTimeoutMs: config.get(setting.queryTimeoutMs),
      log,
    })
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error
    const subject = config.envNameOf(setting.databaseUrl)
    const remedy = 'start the database server, or correct the address, user and password'
    throw new StartupError(
      'The service could not start:',
      [{ subject, message: `names a database that cannot be opened: ${error.message}`, remedy }],
      error,
    )
  }
}

async function tellResult(changes: readonly SchemaChange[], { emit, log }: PluginContext) {
  await emit(schemaSynced, { blocked: changes })
  if (changes.length === 0) return
  for (const change of changes) log.warn({ ...change }, 'left a change of the schema undone')
  await emit(schemaSyncBlocked, { changes })
}
