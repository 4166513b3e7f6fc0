import type { Plugin } from '../kernel/index.ts'
import { authPlugin } from './accounts/auth/plugin.ts'
import { emailPlugin } from './accounts/email/plugin.ts'
import { preferencesPlugin } from './accounts/preferences/plugin.ts'
import { socialLoginPlugin } from './accounts/social-login/plugin.ts'
import { backupsPlugin } from './administration/backups/plugin.ts'
import { importExportPlugin } from './administration/import-export/plugin.ts'
import { migrationsPlugin } from './administration/migrations/plugin.ts'
import { runtimeConfigPlugin } from './administration/runtime-config/plugin.ts'
import { schemaFilesPlugin } from './administration/schema-files/plugin.ts'
import { storageS3Plugin } from './administration/storage-s3/plugin.ts'
import { transferPlugin } from './administration/transfer/plugin.ts'
import { webhooksPlugin } from './administration/webhooks/plugin.ts'
import { alertsPlugin } from './background/alerts/plugin.ts'
import { auditPlugin } from './background/audit/plugin.ts'
import { jobsPlugin } from './background/jobs/plugin.ts'
import { schedulesPlugin } from './background/schedules/plugin.ts'
import { aggregatePlugin } from './delivery/aggregate/plugin.ts'
import { cachePlugin } from './delivery/cache/plugin.ts'
import { cdnPlugin } from './delivery/cdn/plugin.ts'
import { changeFeedPlugin } from './delivery/change-feed/plugin.ts'
import { docsPlugin } from './delivery/docs/plugin.ts'
import { graphqlPlugin } from './delivery/graphql/plugin.ts'
import { imagesPlugin } from './delivery/images/plugin.ts'
import { livePlugin } from './delivery/live/plugin.ts'
import { mcpPlugin } from './delivery/mcp/plugin.ts'
import { mediaPlugin } from './delivery/media/plugin.ts'
import { overloadPlugin } from './delivery/overload/plugin.ts'
import { previewPlugin } from './delivery/preview/plugin.ts'
import { searchPlugin } from './delivery/search/plugin.ts'
import { discussionPlugin } from './editing/discussion/plugin.ts'
import { draftsPlugin } from './editing/drafts/plugin.ts'
import { i18nPlugin } from './editing/i18n/plugin.ts'
import { inboxPlugin } from './editing/inbox/plugin.ts'
import { notificationsPlugin } from './editing/notifications/plugin.ts'
import { releasesPlugin } from './editing/releases/plugin.ts'
import { revisionsPlugin } from './editing/revisions/plugin.ts'
import { undoPlugin } from './editing/undo/plugin.ts'
import { unpublishTimesPlugin } from './editing/unpublish-times/plugin.ts'
import { usagesPlugin } from './editing/usages/plugin.ts'
import { workflowPlugin } from './editing/workflow/plugin.ts'
import { authorsPlugin } from './entries/authors/plugin.ts'
import { changesPlugin } from './entries/changes/plugin.ts'
import { contentPlugin } from './entries/content/plugin.ts'
import { contentTypesPlugin } from './entries/content-types/plugin.ts'
import { type ConfigPluginOptions, createConfigPlugin } from './foundation/config/config.ts'
import { databasePlugin } from './foundation/database/plugin.ts'
import { httpPlugin } from './foundation/http/plugin.ts'
import type { ProcessLog } from './foundation/log/log.ts'
import { createLogPlugin } from './foundation/log/plugin.ts'
import { metricsPlugin } from './foundation/metrics/plugin.ts'
import { redisPlugin } from './foundation/redis/plugin.ts'
import { schemasPlugin } from './foundation/schemas/plugin.ts'
import { signalsPlugin } from './foundation/signals/plugin.ts'
import { threadsPlugin } from './foundation/threads/plugin.ts'
import { createAdminPanelPlugin } from './panel/admin-panel/plugin.ts'
import { panelEventsPlugin } from './panel/panel-events/plugin.ts'
import { planningPlugin } from './panel/planning/plugin.ts'

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
