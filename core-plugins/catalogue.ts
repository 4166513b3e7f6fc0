import type { Plugin } from '../kernel/index.ts'
import { createAdminPanelPlugin } from './admin-panel/plugin.ts'
import { aggregatePlugin } from './aggregate/plugin.ts'
import { alertsPlugin } from './alerts/plugin.ts'
import { auditPlugin } from './audit/plugin.ts'
import { authPlugin } from './auth/plugin.ts'
import { authorsPlugin } from './authors/plugin.ts'
import { backupsPlugin } from './backups/plugin.ts'
import { cachePlugin } from './cache/plugin.ts'
import { cdnPlugin } from './cdn/plugin.ts'
import { changeFeedPlugin } from './change-feed/plugin.ts'
import { changesPlugin } from './changes/plugin.ts'
import { type ConfigPluginOptions, createConfigPlugin } from './config/config.ts'
import { contentPlugin } from './content/plugin.ts'
import { contentTypesPlugin } from './content-types/plugin.ts'
import { databasePlugin } from './database/plugin.ts'
import { discussionPlugin } from './discussion/plugin.ts'
import { docsPlugin } from './docs/plugin.ts'
import { draftsPlugin } from './drafts/plugin.ts'
import { emailPlugin } from './email/plugin.ts'
import { graphqlPlugin } from './graphql/plugin.ts'
import { httpPlugin } from './http/plugin.ts'
import { i18nPlugin } from './i18n/plugin.ts'
import { imagesPlugin } from './images/plugin.ts'
import { importExportPlugin } from './import-export/plugin.ts'
import { inboxPlugin } from './inbox/plugin.ts'
import { jobsPlugin } from './jobs/plugin.ts'
import { livePlugin } from './live/plugin.ts'
import type { ProcessLog } from './log/log.ts'
import { createLogPlugin } from './log/plugin.ts'
import { mcpPlugin } from './mcp/plugin.ts'
import { mediaPlugin } from './media/plugin.ts'
import { metricsPlugin } from './metrics/plugin.ts'
import { migrationsPlugin } from './migrations/plugin.ts'
import { notificationsPlugin } from './notifications/plugin.ts'
import { overloadPlugin } from './overload/plugin.ts'
import { panelEventsPlugin } from './panel-events/plugin.ts'
import { planningPlugin } from './planning/plugin.ts'
import { preferencesPlugin } from './preferences/plugin.ts'
import { previewPlugin } from './preview/plugin.ts'
import { redisPlugin } from './redis/plugin.ts'
import { releasesPlugin } from './releases/plugin.ts'
import { revisionsPlugin } from './revisions/plugin.ts'
import { runtimeConfigPlugin } from './runtime-config/plugin.ts'
import { schedulesPlugin } from './schedules/plugin.ts'
import { schemaFilesPlugin } from './schema-files/plugin.ts'
import { schemasPlugin } from './schemas/plugin.ts'
import { searchPlugin } from './search/plugin.ts'
import { signalsPlugin } from './signals/plugin.ts'
import { socialLoginPlugin } from './social-login/plugin.ts'
import { storageS3Plugin } from './storage-s3/plugin.ts'
import { threadsPlugin } from './threads/plugin.ts'
import { transferPlugin } from './transfer/plugin.ts'
import { undoPlugin } from './undo/plugin.ts'
import { unpublishTimesPlugin } from './unpublish-times/plugin.ts'
import { usagesPlugin } from './usages/plugin.ts'
import { webhooksPlugin } from './webhooks/plugin.ts'
import { workflowPlugin } from './workflow/plugin.ts'

/** The core plugins, in the order in which a reader should meet them. */
export function corePlugins({ log, ...options }: ConfigPluginOptions & { log: ProcessLog }): Plugin[] {
  return [
    createConfigPlugin(options),
    createLogPlugin(log),
    databasePlugin,
    schemasPlugin,
    httpPlugin,
    redisPlugin,
    signalsPlugin,
    runtimeConfigPlugin,
    auditPlugin,
    alertsPlugin,
    authPlugin,
    socialLoginPlugin,
    contentPlugin,
    contentTypesPlugin,
    schemaFilesPlugin,
    i18nPlugin,
    draftsPlugin,
    authorsPlugin,
    revisionsPlugin,
    workflowPlugin,
    discussionPlugin,
    aggregatePlugin,
    graphqlPlugin,
    docsPlugin,
    mcpPlugin,
    changesPlugin,
    cachePlugin,
    cdnPlugin,
    changeFeedPlugin,
    jobsPlugin,
    schedulesPlugin,
    threadsPlugin,
    unpublishTimesPlugin,
    releasesPlugin,
    usagesPlugin,
    undoPlugin,
    importExportPlugin,
    searchPlugin,
    mediaPlugin,
    storageS3Plugin,
    imagesPlugin,
    backupsPlugin,
    transferPlugin,
    migrationsPlugin,
    webhooksPlugin,
    emailPlugin,
    metricsPlugin,
    preferencesPlugin,
    overloadPlugin,
    planningPlugin,
    previewPlugin,
    livePlugin,
    panelEventsPlugin,
    inboxPlugin,
    notificationsPlugin,
    createAdminPanelPlugin(options),
  ]
}
