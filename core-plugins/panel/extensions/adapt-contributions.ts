import { type ExtensionPoint, PluginFault, type Stage } from '../../../kernel/index.ts'
import { archiveStores, type BackupTable, backupTables } from '../../administration/backups/backups.ts'
import {
  type PluginWebhookEvent,
  webhookEventProblems,
  webhookEvents,
} from '../../administration/webhooks/webhooks.ts'
import { jobKinds } from '../../background/jobs/jobs.ts'
import { schedules } from '../../background/schedules/schedules.ts'
import { graphqlExtensions } from '../../delivery/graphql/graphql.ts'
import { deletionHolds, type FileRemoval, fileRemovals, mediaStorages } from '../../delivery/media/media.ts'
import { type SearchTokenizer, searchTokenizers } from '../../delivery/search/search.ts'
import {
  contentReadMiddleware,
  contentWriteMiddleware,
  entryColumns,
  entryLocks,
  entryMeta,
  entryParameters,
  entrySearches,
  entryTables,
  referenceChecks,
} from '../../entries/content/content.ts'
import { isAllowed, type Setting, settings } from '../../foundation/config/config.ts'
import { draftEndings, type TableSpec, tables } from '../../foundation/database/database.ts'
import {
  adminMiddleware,
  authenticators,
  fallbacks,
  type GuardRequest,
  type Policy,
  policies,
  rateLimitStores,
  readinessChecks,
  requestObservers,
  routeGuards,
  routes,
} from '../../foundation/http/http.ts'
import { type MetricSource, metricSources } from '../../foundation/metrics/metrics.ts'
import { contentTables, fieldTypes, schemaFolders, typeExtensions } from '../../foundation/schemas/schemas.ts'
import {
  type EntryCompanion,
  entryCompanions,
  type RestoreStep,
  restoreSteps,
  type TransferSection,
  transferSections,
} from '../../foundation/sections/sections.ts'
import {
  adaptContentTable,
  adaptEntryColumns,
  adaptEntryLock,
  adaptEntryMeta,
  adaptEntryParameters,
  adaptEntrySearch,
  adaptEntryTable,
  adaptReferenceCheck,
  adaptSchemaFolder,
  adaptTypeExtension,
} from './adapt-content.ts'
import { adaptFieldType } from './adapt-field-type.ts'
import { adaptGraphql } from './adapt-graphql.ts'
import {
  adaptAuthenticator,
  adaptFallback,
  adaptGuard,
  adaptObserver,
  adaptRateLimitStore,
} from './adapt-http.ts'
import { adaptPanelModule } from './adapt-panel-module.ts'
import { adaptArchiveStore, adaptStorage } from './adapt-storage.ts'
import { checkCommand, commands } from './command.ts'
import { mountRoute } from './mount-route.ts'
import { type PanelItem, panelItemProblems, panelItems } from './panel-items.ts'
import { panelModules } from './panel-modules.ts'
import { type ErrorReport, reported, reportedCall } from './report-errors.ts'
import { assertFunction, withFunctions } from './required-functions.ts'
import { type SystemStage, systemMiddleware } from './system-middleware.ts'

/** The plugin whose contributions are adapted. */
export interface Adapted {
  readonly plugin: string
  readonly space: string
  /** The plugin's own file; undefined for one that was given as a value. */
  readonly file?: string | undefined
  readonly report: ErrorReport
  /** For errors of the plugin's code in the panel. */
  readonly reportOfBrowsers: ErrorReport
}

export type Adapt = <T>(point: ExtensionPoint<T>, value: T) => T

/**
 * Checks and adapts what a plugin contributes. An error while the service starts is the plugin's own failed
 * start; later errors are reported under its name.
 */
export function adapterOf(adapted: Adapted): Adapt {
  const { plugin, space, report } = adapted
  const adapters = new Map([
    adapter(routes, (route) => mountRoute({ plugin, space, route, report })),
    adapter(tables, (table) => checkTable(space, table)),
    adapter(settings, (setting) => checkSetting(space, setting)),
    adapter(policies, (policy) => adaptPolicy(adapted, policy)),
    adapter(adminMiddleware, (stage) => adaptStage(adapted, stage)),
    adapter(contentReadMiddleware, (stage) => adaptStage(adapted, stage)),
    adapter(contentWriteMiddleware, (stage) => adaptStage(adapted, stage)),
    adapter(panelItems, (item) => mountPanelItem(adapted, item)),
    adapter(panelModules, (module) =>
      adaptPanelModule({ ...adapted, report: adapted.reportOfBrowsers }, module),
    ),
    adapter(systemMiddleware, (stage) => blamedStage(plugin, adaptStage(adapted, stage))),
    adapter(commands, (command) => checkCommand(space, command)),
    adapter(jobKinds, (kind) => checkName(space, 'job kind', kind)),
    adapter(schedules, (schedule) => checkName(space, 'schedule', schedule)),
    adapter(fieldTypes, (type) => adaptFieldType(adapted, type)),
    adapter(schemaFolders, (folder) => adaptSchemaFolder(space, folder)),
    adapter(typeExtensions, (extension) => adaptTypeExtension(space, extension)),
    adapter(contentTables, (amend) => adaptContentTable(adapted, amend)),
    adapter(entryColumns, (columnsOf) => adaptEntryColumns(adapted, columnsOf)),
    adapter(entryParameters, (parameters) => adaptEntryParameters(adapted, parameters)),
    adapter(entrySearches, (search) => adaptEntrySearch(adapted, search)),
    adapter(entryMeta, (meta) => adaptEntryMeta(adapted, meta)),
    adapter(entryTables, (table) => adaptEntryTable(adapted, table)),
    adapter(entryLocks, (lock) => adaptEntryLock(adapted, lock)),
    adapter(referenceChecks, (check) => adaptReferenceCheck(adapted, check)),
    adapter(transferSections, (section) => checkSection(space, section)),
    adapter(entryCompanions, (companion) => checkCompanion(space, companion)),
    adapter(backupTables, (table) => checkBackupTable(space, table)),
    adapter(restoreSteps, (step) => adaptRestoreStep(adapted, step)),
    adapter(mediaStorages, (kind) => adaptStorage(space, kind)),
    adapter(archiveStores, (kind) => adaptArchiveStore(space, kind)),
    adapter(rateLimitStores, (store) => adaptRateLimitStore(adapted, store)),
    adapter(deletionHolds, (hold) => withFunctions('a hold on deleted files', hold, ['isHeld'])),
    adapter(fileRemovals, (prepare) => adaptFileRemoval(adapted, prepare)),
    adapter(draftEndings, (ending) => withFunctions('what ends drafts', ending, ['end'])),
    adapter(metricSources, (source) => checkMetric(space, source)),
    adapter(readinessChecks, (check) => checkName(space, 'readiness check', check)),
    adapter(routeGuards, (guard) => adaptGuard(adapted, guard)),
    adapter(authenticators, (authenticator) => adaptAuthenticator(adapted, authenticator)),
    adapter(graphqlExtensions, (extension) => adaptGraphql(adapted, extension)),
    adapter(searchTokenizers, (tokenizer) => adaptTokenizer(adapted, tokenizer)),
    adapter(webhookEvents, (event) => checkWebhookEvent(space, event)),
    adapter(fallbacks, (fallback) => adaptFallback(adapted, fallback)),
    adapter(requestObservers, (observe) => adaptObserver(adapted, observe)),
  ])
  return <T>(point: ExtensionPoint<T>, value: T) => {
    const adapt = adapters.get(point.id)
    return adapt === undefined ? value : (adapt(value) as T)
  }
}

function adapter<T>(point: ExtensionPoint<T>, adapt: (value: T) => T) {
  return [point.id, adapt as (value: unknown) => unknown] as const
}

function adaptPolicy({ space, report }: Adapted, policy: Policy): Policy {
  const { name } = policy
  if (!name.startsWith(`${space}.`)) throw new Error(`the policy ${name} must be named ${space}.<check>`)
  const check = reportedCall(`the policy ${name}`, (request: GuardRequest) => policy.check(request), report)
  return { name, check }
}

function adaptStage<Target, Context, Result>(
  { plugin, report }: Adapted,
  stage: Stage<Target, Context, Result>,
): Stage<Target, Context, Result> {
  const { name, order, matches, run } = stage
  if (typeof name !== 'string' || typeof matches !== 'function' || typeof run !== 'function') {
    throw new Error(`the middleware ${String(name)} must have name, matches and run`)
  }
  if (order !== undefined && !Number.isFinite(order)) throw new Error(`the order of ${name} must be a number`)
  return reported(plugin, stage, report)
}

/** At startup only the kernel sees the error, and it needs to know the plugin. */
function blamedStage(plugin: string, stage: SystemStage): SystemStage {
  return {
    ...stage,
    async run(event, next) {
      try {
        await stage.run(event, next)
      } catch (error) {
        throw error instanceof PluginFault ? error : new PluginFault(plugin, error)
      }
    },
  }
}

function mountPanelItem({ plugin, space }: Adapted, item: PanelItem): PanelItem {
  const isOwn = String(item.id).startsWith(`${space}:`)
  const problems = [...(isOwn ? [] : [`must be named ${space}:<what>`]), ...panelItemProblems(item)]
  if (problems.length > 0) throw new Error(`the panel item ${item.id} ${problems.join(', ')}`)
  return { ...item, owner: plugin }
}

/** Names are shared by all plugins: two jobs or schedules with the same name would be indistinguishable. */
function checkName<T extends { readonly name: string }>(space: string, what: string, value: T): T {
  if (!String(value.name).startsWith(`${space}.`)) {
    throw new Error(`the ${what} ${value.name} must be named ${space}.<what>`)
  }
  return value
}

function checkSection(space: string, section: TransferSection): TransferSection {
  return withFunctions('a transfer section', checkName(space, 'transfer section', section), [
    ...(['mayRead', 'page', 'find', 'assertForm', 'missingRights', 'refusal', 'begin'] as const),
  ])
}

function checkCompanion(space: string, companion: EntryCompanion): EntryCompanion {
  return withFunctions('an entry companion', checkName(space, 'entry companion', companion), [
    ...(['matches', 'read', 'missingRights', 'write'] as const),
  ])
}

function adaptTokenizer({ space, report }: Adapted, tokenizer: SearchTokenizer): SearchTokenizer {
  const { name, locales, version, tokenize } = checkName(space, 'tokenizer', tokenizer)
  if (!Array.isArray(locales) || locales.length === 0 || !locales.every((each) => typeof each === 'string')) {
    throw new Error(`the locales of the tokenizer ${name} must be a list of languages such as ja`)
  }
  if (typeof version !== 'string') throw new Error(`the version of the tokenizer ${name} must be a text`)
  if (typeof tokenize !== 'function') throw new Error(`the tokenizer ${name} must have a function tokenize`)
  return {
    ...{ name, locales, version },
    tokenize: (text) => tokenizer.tokenize(text),
    report: (error) => report(`the tokenizer ${name}`, error),
  }
}

function checkWebhookEvent(space: string, event: PluginWebhookEvent): PluginWebhookEvent {
  const problems = webhookEventProblems(checkName(space, 'webhook event', event))
  if (problems.length > 0) throw new Error(`the webhook event ${event.name} ${problems.join(', ')}`)
  return event
}

function adaptRestoreStep({ report }: Adapted, step: RestoreStep): RestoreStep {
  assertFunction('a step of restores', step)
  return reportedCall('a step of a restore', step, report)
}

function adaptFileRemoval({ report }: Adapted, prepare: FileRemoval): FileRemoval {
  assertFunction('what runs when files are removed', prepare)
  return reportedCall('a removal of files', prepare, report)
}

const tablePrefix = (space: string) => `x_${space.replaceAll('-', '_')}_`

/** A plugin may only add its own tables to backups, not the service's. */
function checkBackupTable(space: string, contributed: BackupTable): BackupTable {
  const { table } = contributed
  if (String(table).startsWith(tablePrefix(space))) return contributed
  throw new Error(
    `the table ${table} of backups must be one of the plugin's own: ${tablePrefix(space)}<plural>`,
  )
}

function checkMetric(space: string, source: MetricSource): MetricSource {
  const prefix = `mortise_${tablePrefix(space)}`
  const { name, read } = source
  if (!String(name).startsWith(prefix) || !/^[a-z0-9_]+$/.test(name)) {
    throw new Error(`the metric ${name} must be named ${prefix}<what>_<unit>`)
  }
  if (typeof read !== 'function') throw new Error(`read of the metric ${name} must be a function`)
  return source
}

function checkTable(space: string, table: TableSpec): TableSpec {
  const prefix = tablePrefix(space)
  if (typeof table?.name !== 'string' || !table.name.startsWith(prefix)) {
    throw new Error(`the table ${table?.name} must be named ${prefix}<plural>`)
  }
  if (!Array.isArray(table.columns)) throw new Error(`the table ${table.name}: columns must be a list`)
  return table
}

function checkSetting(space: string, setting: Setting<unknown>): Setting<unknown> {
  const prefix = `${space.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())}.`
  if (!setting.key.startsWith(prefix)) {
    throw new Error(`the setting ${setting.key} must be named ${prefix}<what>`)
  }
  if (!isAllowed(setting, setting.default)) throw new Error(`the default of ${setting.key} is not allowed`)
  return setting
}
