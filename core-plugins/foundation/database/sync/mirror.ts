import { shortenIdentifier } from '../tables/identifier.ts'
import type { IndexSpec, TableSpec } from '../tables/table-spec.ts'

/**
 * A renamed column, and a copy under an earlier name that triggers keep in sync, so that processes that only know the
 * earlier name keep working until processes of the new version have replaced them.
 */
export interface Mirror {
  readonly column: string
  readonly earlier: string
  /** ISO 8601. */
  readonly since: string
}

/** A column with all earlier names under which copies of it exist: one trigger keeps them in sync. */
export interface MirrorGroup {
  readonly column: string
  readonly earlier: readonly string[]
}

/** A table as created by syncs. */
export interface MadeTable extends TableSpec {
  readonly mirrors?: readonly Mirror[]
  /** Columns that exist but were not declared by the last start. */
  readonly unused?: readonly string[]
  /** Plain indexes that replace unique ones which cannot be created yet. */
  readonly standIns?: readonly IndexSpec[]
}

/** How long both columns are kept: longer than a rolling deployment takes. */
const keptMs = 60 * 60 * 1000

export function isOutdated({ since }: Mirror): boolean {
  return Date.now() - Date.parse(since) > keptMs
}

/** Whether a declared table only knows the new name of a column. */
export function isRenamed({ columns }: TableSpec, { column, earlier }: Mirror): boolean {
  const declares = (name: string) => columns.some((each) => each.name === name)
  return declares(column) && !declares(earlier)
}

/** The earlier names of a column under which copies of it exist. */
export function earlierNamesOf(column: string, table: MadeTable | undefined): readonly string[] {
  return (table?.mirrors ?? []).filter((mirror) => mirror.column === column).map(({ earlier }) => earlier)
}

/**
 * The name of the two that a table now declares for another attribute than the last start; undefined while both
 * belong to the same one. The values stay under the other name.
 */
export function takenName(mirror: Mirror, table: TableSpec, last: MadeTable | undefined): string | undefined {
  const declared = (name: string) => table.columns.find((column) => column.name === name)
  const own = declared(mirror.column)
  const heir = own ?? table.columns.find(({ renamedFrom }) => renamedFrom === mirror.column)
  const other = declared(mirror.earlier)
  if (heir === undefined || other === undefined || heir === other) return undefined
  const isUnused = (name: string) => last?.unused?.includes(name) === true
  // After a rollback of a deployment, the later name is the new one.
  return own !== undefined && isUnused(mirror.column) && !isUnused(mirror.earlier)
    ? mirror.column
    : mirror.earlier
}

/** The name of a trigger and of the function it calls. */
export function triggerName(table: string, column: string, event = 'change'): string {
  return shortenIdentifier(`mirror_${event}_${table}__${column}`)
}

/** The name of the trigger that version 0.1 made for each pair. */
export function pairTriggerName(
  table: string,
  { column, earlier }: Pick<Mirror, 'column' | 'earlier'>,
  event = 'change',
): string {
  return shortenIdentifier(`mirror_${event}_${table}__${earlier}__${column}`)
}
