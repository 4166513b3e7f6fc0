import { invitedUserSchema } from '../../core-plugins/accounts/auth/accounts/admin-invitations.ts'
import { adminUserSchema } from '../../core-plugins/accounts/auth/accounts/admin-users.ts'
import { personSchema } from '../../core-plugins/accounts/auth/auth.ts'
import { ownSessionSchema } from '../../core-plugins/accounts/auth/sessions/admin-session-routes.ts'
import {
  apiTokenSchema,
  issuedTokenSchema,
} from '../../core-plugins/accounts/auth/tokens/api-token-routes.ts'
import { mailTestSchema } from '../../core-plugins/accounts/email/test-route.ts'
import {
  backupScheduleSchema,
  backupSchema,
  wholeBackupSchema,
} from '../../core-plugins/administration/backups/backup.ts'
import { checkSchema as checkedFilesSchema } from '../../core-plugins/administration/schema-files/response-schemas.ts'
import { deliverySchema, deliveryStatsSchema } from '../../core-plugins/administration/webhooks/delivery.ts'
import { webhookSchema } from '../../core-plugins/administration/webhooks/webhook-fields.ts'
import { alertSchema } from '../../core-plugins/background/alerts/alert.ts'
import { auditEntrySchema } from '../../core-plugins/background/audit/routes.ts'
import { jobSchema, jobStatsSchema } from '../../core-plugins/background/jobs/job.ts'
import { scheduleSchema } from '../../core-plugins/background/schedules/schedule-state.ts'
import { folderSchema } from '../../core-plugins/delivery/media/library/record-schema.ts'
import { assignmentSchema, commentSchema } from '../../core-plugins/editing/discussion/comment.ts'
import { translationMetaSchema } from '../../core-plugins/editing/i18n/translation-meta.ts'
import { inboxSectionSchema } from '../../core-plugins/editing/inbox/waiting-entry.ts'
import {
  deliverySchema as notificationSchema,
  preferencesSchema,
} from '../../core-plugins/editing/notifications/notifications.ts'
import {
  actionSchema,
  checkSchema,
  releaseSchema,
  wholeReleaseSchema,
} from '../../core-plugins/editing/releases/release.ts'
import { listedRevisionSchema } from '../../core-plugins/editing/revisions/revision.ts'
import { revertedBatchSchema } from '../../core-plugins/editing/undo/revert-batch.ts'
import { takenTransitionSchema } from '../../core-plugins/editing/workflow/routes.ts'
import { schemaChangeSchema } from '../../core-plugins/foundation/database/routes.ts'
import { orNull } from '../../core-plugins/foundation/http/http.ts'
import { summarySchema } from '../../core-plugins/foundation/metrics/summary.ts'
import { versionsSchema } from '../../core-plugins/panel/admin-panel/api/versions-route.ts'
import { pluginSchema } from '../../core-plugins/panel/extensions/plugin-list.ts'
import { listedThemeSchema } from '../../core-plugins/panel/extensions/themes/theme-routes.ts'
import { presentPersonSchema } from '../../core-plugins/panel/panel-events/routes.ts'
import { calendarSchema } from '../../core-plugins/panel/planning/calendar.ts'
import { futureChangesSchema } from '../../core-plugins/panel/planning/future-changes.ts'
import { recentEntrySchema } from '../../core-plugins/panel/planning/recent.ts'
import { scheduledSchema } from '../../core-plugins/panel/planning/scheduled.ts'
import type { ClientAnswer } from './print-answers.ts'

const releaseStatus = releaseSchema.properties.status
const deliveryStatus = deliverySchema.properties.status
const calendar = calendarSchema.properties
const metrics = summarySchema.properties

const operations: readonly ClientAnswer[] = [
  { name: 'Alert', schema: alertSchema, about: "A condition that needs an operator's attention." },
  { name: 'AuditEntry', schema: auditEntrySchema, about: 'An action, as the audit log has recorded it.' },
  {
    name: 'Backup',
    schema: backupSchema,
    about: 'A backup; `size` and `checksum` are null until it is completed.',
  },
  { name: 'WholeBackup', schema: wholeBackupSchema, about: 'A backup, where it alone is asked for.' },
  { name: 'BackupSchedule', schema: backupScheduleSchema, about: 'When backups are made by themselves.' },
  { name: 'Job', schema: jobSchema, about: 'A piece of background work.' },
  { name: 'JobCounts', schema: jobStatsSchema.properties.byStatus, about: 'Counts of jobs by status.' },
  { name: 'JobStats', schema: jobStatsSchema, about: 'Counts of jobs, also by kind.' },
  { name: 'ListedPlugin', schema: pluginSchema, about: 'A plugin of the service.' },
  { name: 'ListedTheme', schema: listedThemeSchema, about: 'A theme of the panel.' },
  { name: 'MailTest', schema: mailTestSchema, about: 'How sending a mail as a test has gone.' },
  { name: 'MetricsGauge', schema: metrics.gauges.items, about: 'A metric with its values, as they are now.' },
  {
    name: 'MetricsMinute',
    schema: metrics.minutes.items,
    about: 'A minute of the processes that share a port; `meanMs` is null without requests.',
  },
  { name: 'MetricsSummary', schema: summarySchema, about: 'What an operator looks at first.' },
  {
    name: 'Schedule',
    schema: scheduleSchema,
    about: 'Work that recurs; `nextRunAt` is null while it is not enabled.',
  },
  { name: 'CheckedSchemaFiles', schema: checkedFilesSchema, about: 'What changed files come to.' },
  {
    name: 'SchemaFileProblem',
    schema: checkedFilesSchema.properties.problems.items,
    about: 'Something about a schema file; `remedy` says what to do.',
  },
  {
    name: 'SchemaChange',
    schema: schemaChangeSchema,
    about: 'What the database lacks to be as the content types say; see docs/database.md.',
  },
  { name: 'Versions', schema: versionsSchema, about: 'What the service runs on.' },
  {
    name: 'Webhook',
    schema: webhookSchema,
    about: 'A webhook; no `content_types` are all.',
    narrowed: { last_status: orNull(deliveryStatus) },
  },
  {
    name: 'WebhookDeliveryStatus',
    schema: deliveryStatus,
    about:
      'How far a delivery has come; a `retrying` one waits for its next attempt, a `dead` one for nothing.',
  },
  {
    name: 'WebhookDelivery',
    schema: deliverySchema,
    about: 'An event that was sent to a webhook, or is to be.',
  },
  { name: 'WebhookStats', schema: deliveryStatsSchema, about: 'How the deliveries of a webhook go.' },
]

const account = { name: 'Account', from: './sessions.ts' }

const people: readonly ClientAnswer[] = [
  { name: 'AdminUser', schema: adminUserSchema, base: account, about: 'An admin user.' },
  {
    name: 'InvitedUser',
    schema: invitedUserSchema,
    base: account,
    about: 'An admin user with the invitation that was sent.',
  },
  {
    name: 'ApiToken',
    schema: apiTokenSchema,
    about: 'An API token, without its value; `last_used_at` is exact to a minute.',
  },
  {
    name: 'IssuedToken',
    schema: issuedTokenSchema,
    about: 'An API token with its value, which is answered this once.',
  },
  {
    name: 'OwnSession',
    schema: ownSessionSchema,
    about: 'A session of the caller; `last_seen_at` is exact to a minute.',
  },
  {
    name: 'NotificationDelivery',
    schema: notificationSchema,
    about:
      'How one is told of what is new in a section of the inbox; `immediately` of assignments and mentions only.',
  },
  {
    name: 'NotificationPreferences',
    schema: preferencesSchema,
    about: 'Of what the caller is told by mail, and when.',
  },
  { name: 'PersonName', schema: personSchema, about: 'An admin user, as shown to others.' },
  {
    name: 'PresentPerson',
    schema: presentPersonSchema,
    about: 'Somebody who is in an entry, and the path of the field that they are in.',
  },
]

const editing: readonly ClientAnswer[] = [
  { name: 'EntryAssignment', schema: assignmentSchema, about: 'Who is responsible for an entry.' },
  {
    name: 'EntryComment',
    schema: commentSchema,
    about: 'A comment on an entry; `parent` is the comment that it answers.',
  },
  {
    name: 'InboxItem',
    schema: inboxSectionSchema.properties.items.items,
    about: 'An entry that waits for the caller.',
  },
  { name: 'InboxSection', schema: inboxSectionSchema, about: 'What waits for the caller for one reason.' },
  {
    name: 'MediaFolder',
    schema: folderSchema,
    about: 'A folder of the media library; `parent` contains it.',
  },
  { name: 'RecentEntry', schema: recentEntrySchema, about: 'An entry that somebody has written.' },
  {
    name: 'RevertedBatch',
    schema: revertedBatchSchema,
    about:
      'What undoing a bulk write has done; the entries of `leftOut` have changed, are gone, or would be refused.',
  },
  { name: 'Revision', schema: listedRevisionSchema, about: 'An entry as it was after a write.' },
  { name: 'Scheduled', schema: scheduledSchema, about: 'What becomes public next, the earliest first.' },
  { name: 'TakenTransition', schema: takenTransitionSchema, about: 'A transition that an entry has taken.' },
  {
    name: 'TranslationMeta',
    schema: translationMetaSchema,
    about: "The state of one locale's version of an entry, relative to its source.",
  },
]

const releases: readonly ClientAnswer[] = [
  { name: 'ReleaseStatus', schema: releaseStatus, about: 'How far a release has come.' },
  {
    name: 'ReleaseAction',
    schema: actionSchema,
    about: 'What a release does with an entry when it is published.',
  },
  { name: 'Release', schema: releaseSchema, about: 'Entries that are published or unpublished together.' },
  {
    name: 'ReleaseItem',
    schema: wholeReleaseSchema.properties.entries.items,
    about: 'What a release does to an entry.',
  },
  {
    name: 'WholeRelease',
    schema: wholeReleaseSchema,
    about: 'A release with what is in it, as far as the caller may know it.',
  },
  {
    name: 'ReleaseFinding',
    schema: checkSchema.properties.problems.items,
    about: 'Something about an entry of a release.',
  },
  { name: 'ReleaseCheck', schema: checkSchema, about: 'What stops a release.' },
  { name: 'CalendarEntry', schema: calendar.entries.items, about: 'An entry in the calendar.' },
  {
    name: 'CalendarRelease',
    schema: calendar.releases.items,
    about: 'A release in the calendar.',
    narrowed: { status: releaseStatus },
  },
  { name: 'Calendar', schema: calendarSchema, about: 'What is planned in a span of time.' },
  { name: 'FutureChanges', schema: futureChangesSchema, about: 'What readers will find otherwise than now.' },
]

/** The answers of routes for which the client and the panel have types. */
export const clientAnswers: readonly ClientAnswer[] = [...operations, ...people, ...editing, ...releases]
