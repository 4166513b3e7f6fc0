import type { SchemaChange } from '../schema-change.ts'
import type { Held } from './conversion.ts'
import type { MadeTable } from './mirror.ts'

/** A column whose conversion waits for somebody to allow it. */
export interface UnconvertedColumn {
  readonly table: string
  readonly column: string
  /** What it holds until then. */
  readonly held: Held
}

/** Tables remember the earlier kind of columns that could not be converted. */
export function unconvertedColumns(
  tables: readonly MadeTable[],
  blocked: readonly SchemaChange[],
): readonly UnconvertedColumn[] {
  return blocked.flatMap(({ change, table, column }) => {
    if (change !== 'convert-column' || column === null) return []
    const made = tables.find(({ name }) => name === table)?.columns.find(({ name }) => name === column)
    return made === undefined ? [] : [{ table, column, held: made }]
  })
}
