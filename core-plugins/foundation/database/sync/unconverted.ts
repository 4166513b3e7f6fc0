import type { SchemaChange } from '../schema/schema-change.ts'
import type { ColumnSpec, TableSpec } from '../tables/table-spec.ts'
import { type Held, isText } from './conversion.ts'
import type { MadeTable } from './mirror.ts'

/** A column whose conversion has to be allowed by an administrator. */
export interface UnconvertedColumn {
  readonly table: string
  readonly column: string
  /** What it holds until then. */
  readonly held: Held
}

/**
 * The remembered tables have the earlier kind of columns that could not be converted. Texts that may be too long are
 * not included: their values are the same in either column.
 */
export function unconvertedColumns(
  declared: readonly TableSpec[],
  tables: readonly MadeTable[],
  blocked: readonly SchemaChange[],
): readonly UnconvertedColumn[] {
  return blocked.flatMap(({ change, table, column }) => {
    if (change !== 'convert-column' || column === null) return []
    const held = columnIn(tables, table, column)
    const wanted = columnIn(declared, table, column)
    if (held === undefined || wanted === undefined || (isText(held.kind) && isText(wanted.kind))) return []
    return [{ table, column, held }]
  })
}

function columnIn(tables: readonly TableSpec[], table: string, column: string): ColumnSpec | undefined {
  return tables.find(({ name }) => name === table)?.columns.find(({ name }) => name === column)
}
