// Written by `npm run client-types` from the schemas of the routes; change those instead.

import type { Account } from './sessions.ts'

/** A condition that needs an operator's attention. */
export interface Alert {
  readonly id: number
  readonly kind: string
  readonly severity: 'info' | 'warning' | 'critical'
  readonly message: string
  readonly details: unknown
  readonly status: 'open' | 'acknowledged' | 'resolved'
  /** How often it was raised. */
  readonly count: number
  readonly first_seen_at: string
  readonly last_seen_at: string
}

/** An action, as the audit log has recorded it. */
export interface AuditEntry {
  readonly id: number
  /** `<area>.<verb>`. */
  readonly action: string
  readonly actor: {
    /** `admin`, `user` or `token`. */
    readonly kind: string
    readonly id: number
    readonly name: string
  } | null
  readonly resource: string | null
  readonly details: unknown
  readonly ip: string | null
  readonly created_at: string
}

/** A backup; `size` and `checksum` are null until it is completed. */
export interface Backup {
  readonly id: number
  readonly name: string
  readonly status: 'pending' | 'running' | 'completed' | 'failed'
  readonly sections: {
    readonly schemas: boolean
    readonly components: boolean
    readonly config: boolean
    readonly content: boolean
    readonly media: boolean
  }
  /** Bytes. */
  readonly size: number | null
  /** SHA-256 of the file. */
  readonly checksum: string | null
  readonly counts: Readonly<Record<string, Readonly<Record<string, number>>>>
  readonly retentionDays: number
  readonly expires_at: string
  readonly created_at: string
  readonly completed_at: string | null
  readonly error: string | null
}

/** A backup, where it alone is asked for. */
export interface WholeBackup {
  readonly id: number
  readonly name: string
  readonly status: 'pending' | 'running' | 'completed' | 'failed'
  readonly sections: {
    readonly schemas: boolean
    readonly components: boolean
    readonly config: boolean
    readonly content: boolean
    readonly media: boolean
  }
  /** Bytes. */
  readonly size: number | null
  /** SHA-256 of the file. */
  readonly checksum: string | null
  readonly counts: Readonly<Record<string, Readonly<Record<string, number>>>>
  readonly retentionDays: number
  readonly expires_at: string
  readonly created_at: string
  readonly completed_at: string | null
  readonly error: string | null
  /** So that whoever asked for a restore and lost the connection learns how it ended. */
  readonly lastRestore: {
    /** `committed`: the database is restored, files are still being written. */
    readonly status: 'pending' | 'committed' | 'completed' | 'failed'
    readonly created_at: string
    readonly completed_at: string | null
    readonly error: string | null
  } | null
}

/** When backups are made by themselves. */
export interface BackupSchedule {
  readonly enabled: boolean
  readonly cronExpression: string
  readonly retentionDays: number
  readonly sections: {
    readonly schemas: boolean
    readonly components: boolean
    readonly config: boolean
    readonly content: boolean
    readonly media: boolean
  }
}

/** A piece of background work. */
export interface Job {
  readonly id: number
  readonly name: string
  readonly key: string | null
  readonly mailbox: string | null
  readonly status: 'waiting' | 'delayed' | 'active' | 'completed' | 'failed' | 'cancelled'
  readonly payload: unknown
  readonly attempts: number
  readonly maxAttempts: number
  /** Per cent. */
  readonly progress: number
  readonly result: unknown
  readonly error: string | null
  readonly run_at: string
  readonly created_at: string
  readonly started_at: string | null
  readonly finished_at: string | null
}

/** Counts of jobs by status. */
export interface JobCounts {
  readonly waiting: number
  readonly delayed: number
  readonly active: number
  readonly completed: number
  readonly failed: number
  readonly cancelled: number
}

/** Counts of jobs, also by kind. */
export interface JobStats {
  readonly byStatus: JobCounts
  readonly byName: Readonly<Record<string, JobCounts>>
  /** How long the oldest due job has been waiting, in milliseconds. */
  readonly lagMs: number
}

/** A plugin of the service. */
export interface ListedPlugin {
  readonly name: string
  readonly description: string
  /** Null where the plugin has none. */
  readonly version: string | null
  /** A part of Mortise. */
  readonly core: boolean
  readonly active: boolean
  /** Why it is off. */
  readonly reason: string | null
  readonly contributes: {
    readonly routes: readonly string[]
    readonly settings: readonly string[]
    readonly panelItems: readonly string[]
  }
}

/** A theme of the panel. */
export interface ListedTheme {
  readonly name: string
  readonly displayName: string
  readonly description: string
  readonly version: string
  readonly isActive: boolean
  /** Why it cannot be used. */
  readonly problem: string | null
  /** Its custom properties without the hyphens, and those that replace them in the dark. */
  readonly properties: {
    readonly light: Readonly<Record<string, string>>
    readonly dark: Readonly<Record<string, string>>
  }
}

/** How sending a mail as a test has gone. */
export interface MailTest {
  readonly sent: boolean
  /** What the server said, and what to do. */
  readonly error: string | null
  readonly connection: {
    /** Such as TLSv1.3; null where it was not encrypted. */
    readonly encryption: string | null
    /** Whether the certificate proves who the server is; null without one. */
    readonly isTrusted: boolean | null
    /** Why it does not, such as DEPTH_ZERO_SELF_SIGNED_CERT. */
    readonly problem: string | null
  } | null
}

/** A metric with its values, as they are now. */
export interface MetricsGauge {
  readonly name: string
  readonly help: string
  readonly samples: readonly {
    readonly labels: Readonly<Record<string, string>>
    readonly value: number
  }[]
}

/** A minute of the processes that share a port; `meanMs` is null without requests. */
export interface MetricsMinute {
  readonly at: string
  readonly requests: number
  /** Answered with 4xx. */
  readonly refused: number
  /** Answered with 5xx. */
  readonly failed: number
  readonly meanMs: number | null
  /** Estimated. */
  readonly p95Ms: number | null
  readonly memoryBytes: number | null
  /** Part of the time that the busiest event loop worked, 0 to 1. */
  readonly busy: number | null
}

/** What an operator looks at first. */
export interface MetricsSummary {
  /** How many share the port. */
  readonly processes: number
  /** The last hour, the newest minute last. */
  readonly minutes: readonly MetricsMinute[]
  /** Those of the service and its plugins, as they are now. */
  readonly gauges: readonly MetricsGauge[]
}

/** Work that recurs; `nextRunAt` is null while it is not enabled. */
export interface Schedule {
  readonly id: number
  readonly name: string
  readonly cronExpression: string
  readonly timezone: string
  readonly enabled: boolean
  readonly lastRunAt: string | null
  readonly lastStatus: string | null
  readonly nextRunAt: string | null
}

/** What changed files come to. */
export interface CheckedSchemaFiles {
  /** All that would keep the service from starting. */
  readonly problems: readonly SchemaFileProblem[]
  /** What would not, and should be known before: drafts that would have to be completed. */
  readonly warnings: readonly SchemaFileProblem[]
  /** What the database will lack, in the order in which it is applied. */
  readonly sync: readonly {
    readonly change: string
    readonly table: string
    readonly column: string | null
    /** The next start does it; what is not safe waits for safe-sync. */
    readonly safe: boolean
    readonly reason: string | null
    readonly plugin: string | null
    /** Pending already, whatever becomes of the files. */
    readonly isPending: boolean
  }[]
  /** The texts of files that change. */
  readonly files: readonly {
    readonly path: string
    readonly before: string | null
    readonly after: string | null
  }[]
}

/** Something about a schema file; `remedy` says what to do. */
export interface SchemaFileProblem {
  /** Null where the problem is in no file of the project. */
  readonly file: string | null
  /** JSON pointer in the file. */
  readonly pointer: string
  readonly subject: string
  readonly message: string
  readonly remedy: string
}

/** What the database lacks to be as the content types say; see docs/database.md. */
export interface SchemaChange {
  /** What would be done, such as `drop-column`. */
  readonly change: string
  readonly table: string
  readonly column: string | null
  /** Whether it loses nothing. */
  readonly safe: boolean
  readonly reason: string | null
  /** The plugin whose table or column it is; while that is off, it is kept. */
  readonly plugin: string | null
}

/** What the service runs on. */
export interface Versions {
  readonly mortise: string
  readonly node: string
  /** Null where node:http serves. */
  readonly nativeServer: string | null
  /** Why the native server does not serve, and what to do; null where nobody has asked for it. */
  readonly problem: string | null
}

/** A webhook; no `content_types` are all. */
export interface Webhook {
  readonly id: number
  readonly name: string
  readonly url: string
  readonly events: readonly string[]
  /** Events of plugins that are not there at present; the webhook keeps them. */
  readonly unknown_events: readonly string[]
  readonly enabled: boolean
  readonly content_types: readonly string[]
  /** What could be a credential is `***` to callers without `webhooks:write`. */
  readonly headers: Readonly<Record<string, string>>
  readonly hasSecret: boolean
  /** `admin:3` or `token:7`: the webhook is told of what they may read. */
  readonly made_by: string | null
  readonly consecutive_failures: number
  readonly last_status: WebhookDeliveryStatus | null
  readonly last_delivery_at: string | null
  readonly created_at: string
  readonly updated_at: string
}

/** How far a delivery has come; a `retrying` one waits for its next attempt, a `dead` one for nothing. */
export type WebhookDeliveryStatus = 'pending' | 'delivered' | 'retrying' | 'dead'

/** An event that was sent to a webhook, or is to be. */
export interface WebhookDelivery {
  readonly id: number
  readonly webhookId: number
  readonly event: string
  readonly origin: 'change' | 'replay' | 'test'
  readonly status: WebhookDeliveryStatus
  readonly statusCode: number | null
  /** Milliseconds. */
  readonly responseTime: number | null
  /** Attempts so far. */
  readonly attempt: number
  readonly requestHeaders: Readonly<Record<string, string>> | null
  readonly responseHeaders: Readonly<Record<string, string>> | null
  /** The body that is sent; null for callers who may not read such entries. */
  readonly payload: unknown
  readonly error: string | null
  readonly created_at: string
}

/** How the deliveries of a webhook go. */
export interface WebhookStats {
  readonly total: number
  readonly delivered: number
  readonly dead: number
  /** Retrying ones included. */
  readonly pending: number
  /** Of the finished ones, 0 to 1. */
  readonly successRate: number | null
  /** Milliseconds, of the latest 1,000 answers. */
  readonly avgResponseTime: number | null
  /** The same. */
  readonly p95ResponseTime: number | null
}

/** An admin user. */
export interface AdminUser extends Account {
  readonly id: number
  readonly email: string
  readonly username: string
  readonly role: string
  readonly blocked: boolean
  readonly created_at: string
  readonly updated_at: string
  readonly mustChangePassword: boolean
  /** Has not set a password yet. */
  readonly invited: boolean
}

/** An admin user with the invitation that was sent. */
export interface InvitedUser extends Account {
  readonly id: number
  readonly email: string
  readonly username: string
  readonly role: string
  readonly blocked: boolean
  readonly created_at: string
  readonly updated_at: string
  readonly mustChangePassword: boolean
  /** Has not set a password yet. */
  readonly invited: boolean
  readonly invitation: {
    readonly expires_at: string
    /** Only where mail is not set up: hand it over yourself. It is shown this once; a path, if the address of the panel is not configured. */
    readonly link: string | null
  }
}

/** An API token, without its value; `last_used_at` is exact to a minute. */
export interface ApiToken {
  readonly id: number
  readonly name: string
  readonly description: string
  readonly scopes: readonly string[]
  readonly expiresAt: string | null
  /** `admin:3` or `token:7`: the token may do nothing that its maker may not. */
  readonly made_by: string | null
  readonly last_used_at: string | null
  readonly created_at: string
  readonly updated_at: string
  /** Those that still work since the token was rotated; the one that ends first comes first. */
  readonly former_values: readonly {
    readonly valid_until: string
    /** Exact to a minute; also of the time before the token was rotated. */
    readonly last_used_at: string | null
  }[]
}

/** An API token with its value, which is answered this once. */
export interface IssuedToken {
  readonly id: number
  readonly name: string
  readonly description: string
  readonly scopes: readonly string[]
  readonly expiresAt: string | null
  /** `admin:3` or `token:7`: the token may do nothing that its maker may not. */
  readonly made_by: string | null
  readonly last_used_at: string | null
  readonly created_at: string
  readonly updated_at: string
  /** Those that still work since the token was rotated; the one that ends first comes first. */
  readonly former_values: readonly {
    readonly valid_until: string
    /** Exact to a minute; also of the time before the token was rotated. */
    readonly last_used_at: string | null
  }[]
  readonly token: string
}

/** A session of the caller; `last_seen_at` is exact to a minute. */
export interface OwnSession {
  readonly id: number
  /** The session of this very request. */
  readonly current: boolean
  readonly user_agent: string
  /** From which it was used last. */
  readonly address: string
  readonly created_at: string
  readonly last_seen_at: string
  readonly expires_at: string
}

/** How one is told of what is new in a section of the inbox; `immediately` of assignments and mentions only. */
export type NotificationDelivery = 'never' | 'digest' | 'immediately'

/** Of what the caller is told by mail, and when. */
export interface NotificationPreferences {
  /** By section of the inbox; `immediately` is for assignments and mentions only. Those that are left out of a change stay as they are. */
  readonly sections: Readonly<Record<string, NotificationDelivery>>
  /** How often the digest is sent. */
  readonly frequency: 'daily' | 'weekly'
  /** Of a weekly digest: 1 is Monday. */
  readonly weekday: number
  /** Of the digest, in the time zone. */
  readonly hour: number
  /** IANA name. */
  readonly timeZone: string
  /** Of the mails; English where there are no texts. */
  readonly language: string
  /** Whether the service can send mail at present. */
  readonly mailConfigured: boolean
  /** Not while the plugin `schedules` is off. */
  readonly digestsSent: boolean
}

/** An admin user, as shown to others. */
export interface PersonName {
  readonly id: number
  readonly username: string
}

/** Somebody who is in an entry, and the path of the field that they are in. */
export interface PresentPerson {
  readonly id: number
  readonly username: string
  readonly field: string | null
}

/** Who is responsible for an entry. */
export interface EntryAssignment {
  readonly id: number
  readonly userId: number
  readonly username: string
  readonly role: string
  readonly assigned_by: PersonName
  readonly created_at: string
}

/** A comment on an entry; `parent` is the comment that it answers. */
export interface EntryComment {
  readonly id: number
  readonly body: string
  readonly author: PersonName
  readonly parent: number | null
  /** The path of the field that it is about. */
  readonly field: string | null
  readonly mentions: readonly PersonName[]
  readonly resolved: boolean
  readonly resolved_at: string | null
  readonly resolved_by: PersonName | null
  readonly created_at: string
  readonly updated_at: string
}

/** An entry that waits for the caller. */
export interface InboxItem {
  readonly type: string
  readonly id: number
  readonly title: string | null
  readonly at: string | null
  readonly by?: PersonName
  /** As what the caller is assigned. */
  readonly role?: string
  readonly mentionId?: number
  readonly comment?: string
  /** The path of the field that the comment is about. */
  readonly field?: string
  readonly state?: string
  readonly transitions?: readonly {
    readonly to: string
    readonly label: string
  }[]
}

/** What waits for the caller for one reason. */
export interface InboxSection {
  readonly section: 'assigned' | 'mentioned' | 'transitions' | 'outdated'
  readonly total: number
  /** There are more than were counted. */
  readonly hasMore: boolean
  readonly items: readonly InboxItem[]
}

/** A folder of the media library; `parent` contains it. */
export interface MediaFolder {
  readonly id: number
  readonly name: string
  readonly parent: number | null
  readonly created_at: string
  readonly updated_at: string
}

/** An entry that somebody has written. */
export interface RecentEntry {
  readonly type: string
  readonly id: number
  readonly title: string | null
  /** `create`, `update`, `publish` and so on. */
  readonly operation: string
  readonly by: PersonName
  readonly at: string
}

/** What undoing a bulk write has done; the entries of `leftOut` have changed, are gone, or would be refused. */
export interface RevertedBatch {
  readonly type: string
  readonly operation: 'update' | 'delete' | 'publish' | 'unpublish'
  readonly count: number
  readonly ids: readonly number[]
  readonly leftOut: readonly {
    readonly id: number
    readonly reason: 'changed' | 'gone' | 'refused'
    readonly problems: readonly {
      readonly path: string
      readonly code: string
    }[]
  }[]
}

/** An entry as it was after a write. */
export interface Revision {
  readonly id: number
  readonly version: number
  readonly action: string
  readonly author: {
    readonly kind: string
    readonly id: number
    readonly username: string
  } | null
  readonly created_at: string
  readonly data?: Readonly<Record<string, unknown>>
}

/** What becomes public next, the earliest first. */
export interface Scheduled {
  readonly entries: readonly {
    readonly type: string
    readonly id: number
    readonly title: string | null
    readonly published_at: string
  }[]
  readonly releases: readonly {
    readonly id: number
    readonly name: string
    readonly scheduled_at: string
    readonly entryCount: number
  }[]
}

/** A transition that an entry has taken. */
export interface TakenTransition {
  readonly id: number
  readonly from: string
  readonly to: string
  readonly comment: string | null
  readonly actor: {
    readonly kind: string
    readonly id: number
    readonly username: string
  } | null
  readonly created_at: string
}

/** The state of one locale's version of an entry, relative to its source. */
export interface TranslationMeta {
  readonly id: number
  readonly status: 'draft' | 'in_review' | 'approved' | 'published' | 'outdated'
  readonly sourceLocale: string
  readonly notes: string | null
  readonly updated_at: string
}

/** How far a release has come. */
export type ReleaseStatus = 'draft' | 'scheduled' | 'publishing' | 'published' | 'failed'

/** What a release does with an entry when it is published. */
export type ReleaseAction = 'publish' | 'unpublish'

/** Entries that are published or unpublished together. */
export interface Release {
  readonly id: number
  readonly name: string
  readonly status: ReleaseStatus
  readonly scheduledAt: string | null
  /** `admin:3` or `token:7`: entries they may not publish are not published. */
  readonly scheduledBy: string | null
  readonly publishedAt: string | null
  readonly error: {
    readonly message: string
    readonly details: readonly {
      readonly path: string
      readonly code: string
      readonly message: string
    }[]
  } | null
  readonly entryCount: number
  readonly created_at: string
  readonly updated_at: string
}

/** What a release does to an entry. */
export interface ReleaseItem {
  readonly id: number
  readonly contentType: string
  readonly entryId: number
  readonly action: ReleaseAction
  readonly created_at: string
  readonly title: string | null
  /** The caller can read it; otherwise it is gone, or not theirs. */
  readonly visible: boolean
}

/** A release with what is in it, as far as the caller may know it. */
export interface WholeRelease {
  readonly id: number
  readonly name: string
  readonly status: ReleaseStatus
  readonly scheduledAt: string | null
  /** `admin:3` or `token:7`: entries they may not publish are not published. */
  readonly scheduledBy: string | null
  readonly publishedAt: string | null
  readonly error: {
    readonly message: string
    readonly details: readonly {
      readonly path: string
      readonly code: string
      readonly message: string
    }[]
  } | null
  readonly entryCount: number
  readonly created_at: string
  readonly updated_at: string
  readonly entries: readonly ReleaseItem[]
  /** Entries of types that the caller may neither read nor publish. */
  readonly hidden: number
  /** The caller may publish and schedule it. */
  readonly mayPublish: boolean
  /** The caller may delete it, and take its time away. */
  readonly mayDelete: boolean
}

/** Something about an entry of a release. */
export interface ReleaseFinding {
  readonly itemId: number
  readonly contentType: string
  readonly entryId: number
  readonly code: string
  readonly message: string
  readonly release?: {
    readonly id: number
    readonly name: string
    readonly scheduledAt: string | null
  }
  readonly at?: string
}

/** What stops a release. */
export interface ReleaseCheck {
  readonly ready: boolean
  readonly problems: readonly ReleaseFinding[]
  /** They stop nothing. */
  readonly conflicts: readonly ReleaseFinding[]
  /** Types that the caller may not publish. */
  readonly callerLacks: readonly string[]
  /** Types that whoever has scheduled it may not publish. */
  readonly schedulerLacks: readonly string[]
  readonly hidden: {
    readonly count: number
    readonly problems: number
  }
}

/** An entry in the calendar. */
export interface CalendarEntry {
  readonly type: string
  readonly id: number
  readonly title: string | null
  readonly action: ReleaseAction
  readonly at: string
  /** Something else is planned for it, too. */
  readonly conflict: boolean
}

/** A release in the calendar. */
export interface CalendarRelease {
  readonly id: number
  readonly name: string
  readonly status: ReleaseStatus
  readonly at: string
  readonly entryCount: number
  /** Failed, overdue, or something else is planned for an entry. */
  readonly conflict: boolean
  readonly mayMove: boolean
}

/** What is planned in a span of time. */
export interface Calendar {
  readonly entries: readonly CalendarEntry[]
  readonly releases: readonly CalendarRelease[]
  readonly hasMore: boolean
}

/** What readers will find otherwise than now. */
export interface FutureChanges {
  readonly changes: readonly {
    readonly type: string
    readonly id: number
    readonly title: string | null
    readonly change: 'appears' | 'disappears' | 'changes'
    readonly at: string
    readonly release: {
      readonly id: number
      readonly name: string
    } | null
  }[]
  readonly hasMore: boolean
}
