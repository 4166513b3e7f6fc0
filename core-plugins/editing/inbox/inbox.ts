import { type ExtensionPoint, extensionPoint, type ServiceToken, service } from '../../../kernel/index.ts'
import type { AdminPrincipal } from '../../foundation/http/http.ts'

/** Why something waits for somebody. */
export type InboxSection = 'assigned' | 'mentioned' | 'transitions' | 'outdated'

/** An entry that waits for an admin user. */
export interface WaitingEntry {
  /** Singular name of the type. */
  readonly type: string
  readonly id: number
  /** Since when; ISO 8601. */
  readonly at: string | null
  readonly by?: { readonly id: number; readonly username: string }
  /** As what the user is assigned. */
  readonly role?: string
  /** By which it is dismissed. */
  readonly mentionId?: number
  /** The comment that mentions the user, and the path of the field that it is about. */
  readonly comment?: string
  readonly field?: string
  /** The state that the entry is in, and those that the user may move it to. */
  readonly state?: string
  readonly transitions?: readonly { readonly to: string; readonly label: string }[]
}

/** Finds what waits for somebody. */
export interface InboxSource {
  readonly section: InboxSection
  /**
   * The newest first, at most `limit`, of these types: the user sees no others, whose entries must not take the places of
   * theirs. Single entries that the user does not see are left out afterwards, so a source only decides what makes the
   * entry wait.
   */
  find(principal: AdminPrincipal, limit: number, types: readonly string[]): Promise<readonly WaitingEntry[]>
}

/** The newest of what several queries of a source have found, the newest first. */
export function newest(found: readonly (readonly WaitingEntry[])[], limit: number): readonly WaitingEntry[] {
  return found
    .flat()
    .sort((left, right) => String(right.at).localeCompare(String(left.at)))
    .slice(0, limit)
}

/** Contribute in `init`, one for each section. */
export const inboxSources: ExtensionPoint<InboxSource> = extensionPoint('inboxSources')

/** An entry that waits, as its reader sees it. */
export interface InboxItem extends WaitingEntry {
  readonly title: string | null
}

/** What waits for somebody for one reason. */
export interface FilledSection {
  readonly section: InboxSection
  readonly items: readonly InboxItem[]
  /** There is more than was looked at. */
  readonly hasMore: boolean
}

/** The inboxes of admin users. */
export interface Inbox {
  /** The sections that the plugins which are on contribute; known once all are initialised. */
  sections(): readonly InboxSection[]
  /** What waits for somebody, as far as they see the entries; one query for each source and each type. */
  find(principal: AdminPrincipal): Promise<readonly FilledSection[]>
}

export const inboxService: ServiceToken<Inbox> = service('inbox')
