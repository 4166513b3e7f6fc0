import { type ExtensionPoint, extensionPoint, type ServiceToken, service } from '../../../kernel/index.ts'
import type { AdminPrincipal } from '../../foundation/http/http.ts'
import type { FilledSection, InboxSection, WaitingEntry } from './waiting-entry.ts'

export type { FilledSection, InboxItem, InboxSection, WaitingEntry } from './waiting-entry.ts'

/** Finds items that wait for an admin user. */
export interface InboxSource {
  readonly section: InboxSection
  /**
   * The newest first, at most `limit`, only of these types: those that the user may see, so that others do not use up the limit.
   * Single entries that the user may not see are removed afterwards, so a source only decides why an entry waits.
   */
  find(principal: AdminPrincipal, limit: number, types: readonly string[]): Promise<readonly WaitingEntry[]>
}

/** Merges the results of several queries of a source: the newest first, at most `limit`. */
export function newest(found: readonly (readonly WaitingEntry[])[], limit: number): readonly WaitingEntry[] {
  return found
    .flat()
    .sort((left, right) => String(right.at).localeCompare(String(left.at)))
    .slice(0, limit)
}

/** Contribute in `init`, one for each section. */
export const inboxSources: ExtensionPoint<InboxSource> = extensionPoint('inboxSources')

/** The inboxes of admin users. */
export interface Inbox {
  /** The sections contributed by the active plugins; complete once all plugins are initialised. */
  sections(): readonly InboxSection[]
  /** The items that wait for the user, limited to entries that the user may see; one query per source and type. */
  find(principal: AdminPrincipal): Promise<readonly FilledSection[]>
}

export const inboxService: ServiceToken<Inbox> = service('inbox')
