/*
 * Indexes of the places where entries name something, such as files or other entries. A plugin says which places these are and has
 * the table; what keeps it right is the same for all: a stage of every write, and a job that makes it from all entries.
 */

import { indexWrites, type UsageIndexing } from './index-writes.ts'
import { createUsageRebuild, type RebuildParts, type UsageRebuild } from './rebuild-index.ts'
import type { UsageKind } from './usage-kind.ts'
import { createUsageRows } from './usage-rows.ts'

export { shortenField } from './shorten-field.ts'
export type { NamedIn, UsageKind, Vanished } from './usage-kind.ts'

export type UsageIndexParts = Omit<RebuildParts<never>, 'kind' | 'rows'>

export interface UsageIndex<Place> extends UsageIndexing<Place>, UsageRebuild {}

/** Keeps an index in every write; contribute its stage and its job. */
export function createUsageIndex<Place>(kind: UsageKind<Place>, parts: UsageIndexParts): UsageIndex<Place> {
  const rows = createUsageRows(kind, parts.database)
  return {
    ...indexWrites(kind, rows, parts.storedEntries),
    ...createUsageRebuild({ ...parts, kind, rows }),
  }
}
