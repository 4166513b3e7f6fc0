import { shortenIdentifier } from '../identifier.ts'
import type { TableSpec } from '../table-spec.ts'

/**
 * A renamed column and the one with its earlier name, kept in sync by triggers: so that processes that only
 * know the earlier name keep working while those that know the new one replace them.
 */
export interface Mirror {
  readonly column: string
  readonly earlier: string
  /** ISO 8601. */
  readonly since: string
}

/** A table as created by syncs. */
export interface MadeTable extends TableSpec {
  readonly mirrors?: readonly Mirror[]
  /** Columns that exist but were not declared by the last start. */
  readonly unused?: readonly string[]
}

/** The two names of a column. */
export type Renaming = Pick<Mirror, 'column' | 'earlier'>

/** How long both columns are kept: longer than a rolling deployment takes. */
const keptMs = 60 * 60 * 1000

export function isOutdated({ since }: Mirror): boolean {
  return Date.now() - Date.parse(since) > keptMs
}

/** Whether a declared table only knows the new name of a column. */
export function isRenamed({ columns }: TableSpec, { column, earlier }: Renaming): boolean {
  const declares = (name: string) => columns.some((each) => each.name === name)
  return declares(column) && !declares(earlier)
}

/** The name of a trigger and of the function it calls. */
export function triggerName(table: string, { earlier, column }: Renaming, event = 'change'): string {
  return shortenIdentifier(`mirror_${event}_${table}__${earlier}__${column}`)
}
