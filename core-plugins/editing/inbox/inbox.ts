import { type ExtensionPoint, extensionPoint, type ServiceToken, service } from '../../../kernel/index.ts'
import type { AdminPrincipal } from '../../foundation/http/http.ts'
import type { FilledSection, InboxSection, WaitingEntry } from './waiting-entry.ts'

export type { FilledSection, InboxItem, InboxSection, WaitingEntry } from './waiting-entry.ts'

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

/** The inboxes of admin users. */
export interface Inbox {
  /** The sections that the plugins which are on contribute; known once all are initialised. */
  sections(): readonly InboxSection[]
  /** What waits for somebody, as far as they see the entries; one query for each source and each type. */
  find(principal: AdminPrincipal): Promise<readonly FilledSection[]>
}

export const inboxService: ServiceToken<Inbox> = service('inbox')
