import type { TableSpec } from '../database.ts'
import { shortenIdentifier } from '../identifier.ts'

/**
 * A renamed column and the one of its earlier name, which triggers keep the same: so that processes that know the earlier
 * name only go on serving while those that know the new one take their place.
 */
export interface Mirror {
  readonly column: string
  readonly earlier: string
  /** ISO 8601. */
  readonly since: string
}

/** A table as syncs have made it. */
export interface MadeTable extends TableSpec {
  readonly mirrors?: readonly Mirror[]
  /** Columns that are there, and were not declared by the last start. */
  readonly unused?: readonly string[]
}

/** The two names of a column. */
export type Renaming = Pick<Mirror, 'column' | 'earlier'>

/** For how long a start leaves both columns: longer than a rolling deployment takes. */
const keptMs = 60 * 60 * 1000

export function isOutdated({ since }: Mirror): boolean {
  return Date.now() - Date.parse(since) > keptMs
}

/** Whether a declared table knows the new name of a column only. */
export function isRenamed({ columns }: TableSpec, { column, earlier }: Renaming): boolean {
  const declares = (name: string) => columns.some((each) => each.name === name)
  return declares(column) && !declares(earlier)
}

/** What a trigger, and what it calls, is named. */
export function triggerName(table: string, { earlier, column }: Renaming, event = 'change'): string {
  return shortenIdentifier(`mirror_${event}_${table}__${earlier}__${column}`)
}
