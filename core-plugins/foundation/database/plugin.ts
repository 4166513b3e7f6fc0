import {
  definePlugin,
  type Log,
  nativePackageProblem,
  type PluginContext,
  StartupError,
} from '../../../kernel/index.ts'
import { type Config, configService, settings } from '../config/config.ts'
import { processes, readinessChecks, routes } from '../http/http.ts'
import { RoomWatch, roomChanged } from '../room/room.ts'
import * as setting from './connections/limit-settings.ts'
import { openDatabase } from './connections/open-database.ts'
import { openingRemedy } from './connections/opening-remedy.ts'
import type { ServerOptions } from './connections/server-options.ts'
import { databaseDirectUrl, databaseUrl } from './connections/url-setting.ts'
import { DatabaseError } from './database-error.ts'
import { databaseService } from './database-service.ts'
import type { Driver } from './driver.ts'
import { databaseRoutes } from './routes.ts'
import { assertTables } from './schema/assert-tables.ts'
import { conversionsService, WaitingConversions } from './schema/conversions.ts'
import { LastSync } from './schema/last-sync.ts'
import {
  type SchemaChange,
  schemaSyncBlocked,
  schemaSynced,
  storedValuesChanged,
} from './schema/schema-change.ts'
import { type SchemaRecord, schemaRecordService } from './schema/schema-record.ts'
import { createSchemaSync, schemaSyncService } from './schema/schema-sync.ts'
import { findUndeclaredHolds } from './schema/undeclared-holds.ts'
import { uniqueWaitsService, WaitingIndexes } from './schema/unique-waits.ts'
import { guardedDriver, VersionGuard } from './schema/version-guard.ts'
import { databaseSettings } from './settings.ts'
import { probeStorage, probesTable } from './storage-probe.ts'
import type { MadeTable } from './sync/mirror.ts'
import { unobserved } from './sync/progress.ts'
import { madeTables, readState } from './sync/schema-state.ts'
import { type SyncResult, synchronize } from './sync/synchronize.ts'
import { unconvertedColumns } from './sync/unconverted.ts'
import { draftEndings, trashEndings } from './tables/draft-ending.ts'
import { shortenIdentifier, shortenNames } from './tables/identifier.ts'
import { type TableSpec, tables } from './tables/table-spec.ts'

/** Opens the database, syncs the tables of all plugins at the start, and reports the changes left undone. */
export const databasePlugin = definePlugin({
  name: 'database',
  description: 'Keeps all data in the database of DATABASE_URL, and its tables as the plugins declare them.',
  uses: { config: configService },
  provides: [databaseService, schemaRecordService, schemaSyncService, conversionsService, uniqueWaitsService],
  points: [tables, draftEndings, trashEndings],
  hooks: [schemaSynced, schemaSyncBlocked, storedValuesChanged, roomChanged],

  register({ contribute }) {
    for (const each of databaseSettings) contribute(settings, each)
    contribute(tables, probesTable.spec)
  },

  async init(context) {
    const { contribute, contributions, log } = context
    const { config } = context.services
    const room = new RoomWatch({
      ...{ log, emit: context.emit, store: 'database', probe: () => probeStorage(opened) },
      message: 'the database has no room left, and writes are refused: make room on its disk',
      isFull: (error) => error instanceof DatabaseError && error.kind === 'full',
    })
    const opened: Driver = await open(config, log, (error) => room.failed(error))
    context.onDispose(() => opened.close())
    const conversions = new WaitingConversions()
    const uniqueWaits = new WaitingIndexes(opened)
    // A SQLite file is not shared by processes of two versions.
    const guard =
      opened.dialect.name === 'sqlite'
        ? undefined
        : new VersionGuard({
            ...{ driver: opened, log },
            async onSynced({ tables: made, blocked }) {
              conversions.use(unconvertedColumns(contributions(tables).map(shortenNames), made, blocked))
              uniqueWaits.use(blocked)
              await context.emit(storedValuesChanged, { isOwn: false })
            },
          })
    const driver = guard === undefined ? opened : guardedDriver(opened, guard)
    context.onDispose(() => room.stop())
    context.provide(databaseService, driver)
    context.provide(conversionsService, conversions)
    context.provide(uniqueWaitsService, uniqueWaits)
    const declared = () => contributions(tables).map(shortenNames)
    const lastSync = new LastSync(opened, log)
    context.provide(schemaRecordService, schemaRecordOf(driver, { declared, lastSync }))
    contribute(readinessChecks, { name: 'database', check: () => driver.ping() })
    contribute(readinessChecks, { name: 'version of the schema', check: () => guard?.confirm() })
    contribute(readinessChecks, { name: 'storage of the database', check: () => room.assertRoom() })
    const schemaSync = createSchemaSync({
      ...{ driver, declared },
      observer: { ...unobserved, log },
      draftEndings: () => contributions(draftEndings),
      trashEndings: () => contributions(trashEndings),
      isOn: (plugin) => context.switchedOn.has(plugin),
      async onSync({ applied, blocked, unconverted }: SyncResult) {
        conversions.use(unconverted)
        uniqueWaits.use(blocked)
        if (applied.length > 0) await context.emit(storedValuesChanged, { isOwn: true })
        await reportResult(blocked, context)
      },
    })
    context.provide(schemaSyncService, schemaSync)
    for (const route of databaseRoutes(schemaSync)) contribute(routes, route)
    return { driver, opened, guard, conversions, uniqueWaits, lastSync }
  },

  async boot(context) {
    const { opened, guard, conversions, uniqueWaits, lastSync } = context.state
    assertTables(context.contributionsByPlugin(tables))
    const contributed = context.contributions(tables)
    opened.useTables(contributed)
    const declared = contributed.map(shortenNames)
    await guard?.begin(declared)
    await lastSync.begin(declared)
    const { applied, blocked, unconverted } = await synchronize(opened, declared, context).catch((error) => {
      throw explained(
        error,
        context.services.config,
        'names a database whose tables cannot be brought up to date',
      )
    })
    conversions.use(unconverted)
    uniqueWaits.use(blocked)
    await guard?.confirm()
    for (const change of applied) context.log.debug({ ...change }, 'changed the schema')
    if (applied.length > 0) context.log.info({ changes: applied.length }, 'brought the schema up to date')
    await reportResult(blocked, context)
  },
})

/**
 * The database without syncing its tables, for commands that run alongside a service, or without one, and must not
 * change tables.
 */
export const unsyncedDatabasePlugin = definePlugin({
  ...databasePlugin,
  boot({ state: { driver }, contributions }) {
    driver.useTables(contributions(tables))
  },
})

async function open(config: Config, log: Log, onFull: ServerOptions['onFull']): Promise<Driver> {
  try {
    return await openDatabase({
      url: config.get(databaseUrl),
      directUrl: config.get(databaseDirectUrl),
      workingDirectory: config.workingDirectory,
      poolSize: config.get(setting.poolSize),
      transactionPoolSize: config.get(setting.transactionPoolSize),
      maxWaiting: config.get(setting.maxWaiting),
      waitTimeoutMs: config.get(setting.waitTimeoutMs),
      connectTimeoutMs: config.get(setting.connectTimeoutMs),
      queryTimeoutMs: config.get(setting.queryTimeoutMs),
      readTimeoutMs: config.get(setting.readTimeoutMs),
      costlyPoolSize: config.get(setting.costlyPoolSize),
      maxCostlyWaiting: config.get(setting.maxCostlyWaiting),
      processes: config.get(processes),
      onFull,
      log,
    })
  } catch (error) {
    throw explained(error, config, 'names a database that cannot be opened')
  }
}

/** Turns an error that prevents the start into one that says what to do about it. */
function explained(error: unknown, config: Config, message: string): unknown {
  if (!(error instanceof DatabaseError)) return error
  const problem = nativePackageProblem(error.cause) ?? {
    subject: config.envNameOf(databaseUrl),
    message: `${message}: ${error.message}`,
    remedy: openingRemedy(error),
  }
  return new StartupError('The service could not start:', [problem], error)
}

/** Kept data of plugins that are off is no problem, so one log line per plugin is enough. */
async function reportResult(changes: readonly SchemaChange[], { emit, log, switchedOn }: PluginContext) {
  const isKept = ({ plugin }: SchemaChange) => plugin !== null && !switchedOn.has(plugin)
  const kept = changes.filter(isKept)
  const blocked = changes.filter((change) => !isKept(change))
  for (const plugin of new Set(kept.map((change) => change.plugin))) {
    const count = kept.filter((change) => change.plugin === plugin).length
    log.info({ owner: plugin, tablesAndColumns: count }, `keeps the data of ${plugin}, which is off`)
  }
  await emit(schemaSynced, { blocked, kept })
  if (blocked.length === 0) return
  for (const change of blocked) log.warn({ ...change }, 'left a change of the schema undone')
  await emit(schemaSyncBlocked, { changes: blocked })
}

function schemaRecordOf(
  driver: Driver,
  { declared, lastSync }: { readonly declared: () => readonly TableSpec[]; readonly lastSync: LastSync },
): SchemaRecord {
  const madeTable = async (table: string) =>
    madeTables(await readState(driver, driver.schema)).find(({ name }) => name === shortenIdentifier(table))
  const hasColumn = (made: MadeTable | undefined, name: string) =>
    made?.columns.some((each) => each.name === name) === true
  return {
    undeclaredHolds: (table, ids) => findUndeclaredHolds(driver, declared(), { table, ids }),
    knewBefore: (table) => lastSync.knewBefore(table),
    watch: (table, tell) => lastSync.watch(table, tell),
    exists: async (table, column) => hasColumn(await madeTable(table), shortenIdentifier(column)),
    async declared(table, column) {
      const made = await madeTable(table)
      const name = shortenIdentifier(column)
      const isUnused = (each: string) => made?.unused?.includes(each) === true
      const isEarlierName = made?.mirrors?.some(
        (mirror) => mirror.earlier === name && !isUnused(mirror.column),
      )
      return hasColumn(made, name) && isEarlierName !== true && !isUnused(name)
    },
  }
}
