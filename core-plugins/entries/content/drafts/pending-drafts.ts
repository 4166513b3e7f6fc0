import { type Awaitable, type ExtensionPoint, extensionPoint } from '../../../../kernel/index.ts'
import type { Queries, Transaction } from '../../../foundation/database/database.ts'
import type { ContentType } from '../../../foundation/schemas/schemas.ts'

/** Changes to an entry that wait to be published, stored apart from its row. */
export interface PendingDraft {
  /** By field, in the form entries hold them; other fields are as in the row. */
  readonly values: Readonly<Record<string, unknown>>
  /** ISO 8601: the `updated_at` of the entry with the draft applied, unless the row's own `updated_at` is later. */
  readonly updatedAt: string
}

/**
 * Keeps pending drafts for the entries of some types. An update of a published entry of such a type, or of
 * one that already has a draft, goes to the draft; publishing applies the draft to the entry; and reads with
 * `draft=true` show entries with their drafts applied. The row of the entry is locked whenever its draft is
 * written.
 */
export interface PendingDrafts {
  matches(type: ContentType): boolean
  /** The existing drafts by entry id; the caller owns the returned values. */
  load(type: ContentType, ids: readonly number[], on?: Queries): Awaitable<ReadonlyMap<number, PendingDraft>>
  /** Creates or replaces the draft of an entry. */
  save(type: ContentType, id: number, draft: PendingDraft, tx: Transaction): Promise<void>
  remove(type: ContentType, ids: readonly number[], tx: Transaction): Promise<void>
}

/** At most one for each type. */
export const pendingDrafts: ExtensionPoint<PendingDrafts> = extensionPoint('pendingDrafts')
