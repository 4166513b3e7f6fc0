import type { InboxSection, NotificationPreferences, PresentPerson } from './answers.ts'
import type { Client } from './client.ts'
import { queryString } from './query-string.ts'

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
