/*
 * Indexes of the places where entries refer to something, such as files or other entries. A plugin defines which places these are
 * and owns the table. Keeping the index up to date works the same for all: a stage of every write, and a job that rebuilds it
 * from all entries.
 */

import { indexWrites, type UsageIndexing } from './index-writes.ts'
import { createUsageRebuild, type RebuildParts, type UsageRebuild } from './rebuild-index.ts'
import type { UsageKind } from './usage-kind.ts'
import { createUsageRows } from './usage-rows.ts'

export { shortenField } from './shorten-field.ts'
export type { NamedIn, UsageKind, Vanished } from './usage-kind.ts'

export type UsageIndexParts = Omit<RebuildParts<never>, 'kind' | 'rows'>

export interface UsageIndex<Place> extends UsageIndexing<Place>, UsageRebuild {}

/** Creates an index; the plugin contributes its stage and its job. */
export function createUsageIndex<Place>(kind: UsageKind<Place>, parts: UsageIndexParts): UsageIndex<Place> {
  const rows = createUsageRows(kind, parts.database)
  return {
    ...indexWrites(kind, rows, parts.storedEntries),
    ...createUsageRebuild({ ...parts, kind, rows }),
  }
}
