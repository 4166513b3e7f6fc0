import type { Client } from './client.ts'
import { queryString } from './query-string.ts'

/** An admin user, as shown to others. */
export interface PersonName {
  readonly id: number
  readonly username: string
}

/** A comment on an entry. */
export interface EntryComment {
  readonly id: number
  readonly body: string
  readonly author: PersonName
  /** The comment that it answers. */
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

/** Who is responsible for an entry. */
export interface EntryAssignment {
  readonly id: number
  readonly userId: number
  readonly username: string
  readonly role: string
  readonly assigned_by: PersonName
  readonly created_at: string
}

/** Somebody who is in an entry, and the path of the field that they are in. */
export interface PresentPerson extends PersonName {
  readonly field: string | null
}

/** An entry that waits for the caller. */
export interface InboxItem {
  readonly type: string
  readonly id: number
  readonly title: string | null
  readonly at: string | null
  readonly by?: PersonName
  readonly role?: string
  readonly mentionId?: number
  readonly comment?: string
  readonly field?: string
  readonly state?: string
  readonly transitions?: readonly { readonly to: string; readonly label: string }[]
}

/** What waits for the caller for one reason. */
export interface InboxSection {
  readonly section: 'assigned' | 'mentioned' | 'transitions' | 'outdated'
  readonly total: number
  readonly hasMore: boolean
  readonly items: readonly InboxItem[]
}

/** When new items in a section of the inbox are sent by mail; `immediately` is for assignments and mentions only. */
export type NotificationDelivery = 'never' | 'digest' | 'immediately'

/** Which notifications the caller gets by mail, and when. */
export interface NotificationPreferences {
  /** By section of the inbox. */
  readonly sections: Readonly<Record<string, NotificationDelivery>>
  readonly frequency: 'daily' | 'weekly'
  /** From 1, Monday, to 7; counts where the digest is weekly. */
  readonly weekday: number
  /** From 0 to 23, in the time zone. */
  readonly hour: number
  /** IANA name. */
  readonly timeZone: string
  /** Of the mails; two letters. */
  readonly language: string
  /** Whether the service can send mail at present. */
  readonly mailConfigured: boolean
  /** False while the plugin `schedules` is off. */
  readonly digestsSent: boolean
}

interface Cancelling {
  readonly signal?: AbortSignal
}

/** What people do together, below `/admin`. */
export interface Together {
  inbox(options?: Cancelling & { readonly limit?: number }): Promise<readonly InboxSection[]>
  inboxCount(options?: Cancelling): Promise<{ readonly total: number; readonly hasMore: boolean }>
  /** Takes a mention out of the inbox. */
  dismissMention(mentionId: number, options?: Cancelling): Promise<null>
  notificationPreferences(options?: Cancelling): Promise<NotificationPreferences>
  /** What is left out stays as it is, sections too. */
  changeNotificationPreferences(
    change: Partial<Omit<NotificationPreferences, 'mailConfigured' | 'digestsSent'>>,
    options?: Cancelling,
  ): Promise<NotificationPreferences>
  /** Tells where the panel with this stream is; answers who else is there. */
  presence(
    stream: string,
    entry: { readonly type: string; readonly id: number; readonly field?: string | null } | null,
    options?: Cancelling,
  ): Promise<{ readonly people: readonly PresentPerson[] }>
}

/** Makes the requests. */
export function createTogether({ send }: Pick<Client<never>, 'send'>): Together {
  return {
    inbox: ({ limit, ...options } = {}) => send('GET', `/admin/inbox${queryString({ limit })}`, options),
    inboxCount: (options) => send('GET', '/admin/inbox/count', options),
    dismissMention: (id, options) => send('DELETE', `/admin/inbox/mentions/${id}`, options),
    notificationPreferences: (options) => send('GET', '/admin/notifications/preferences', options),
    changeNotificationPreferences: (change, options) =>
      send('PUT', '/admin/notifications/preferences', { ...options, body: change }),
    presence: (stream, entry, options) =>
      send('POST', '/admin/presence', { ...options, body: { stream, entry } }),
  }
}
