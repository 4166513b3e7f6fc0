import type { ColumnSpec, TableSpec } from '../tables/table-spec.ts'
import { conversionOf, describeLoss } from './conversion.ts'
import type { LiveColumn } from './live-schema.ts'
import type { TableInput } from './plan-input.ts'
import { reshaped } from './plan-json.ts'
import { blocked, type PlannedStep, type Step, safely } from './step.ts'

/** The steps that give a column its declared type; empty if it has it. */
export function retyped(column: ColumnSpec, present: LiveColumn, tableInput: TableInput): PlannedStep[] {
  const { table, last, input } = tableInput
  const earlier = lastColumn(last, column)
  const isSameType = input.dialect.columnType(column) === present.type
  const isAsRemembered = earlier !== undefined && input.dialect.columnType(earlier) === present.type
  if (isSameType && !isAsRemembered) return []
  const from = isAsRemembered ? earlier : input.dialect.kindOf(present.type)
  if (from === undefined) return [blocked(convert(table, present, column), 'its type is not known')]
  switch (conversionOf(from, column)) {
    case 'none':
      return reshaped(column, from, table)
    case 'widen':
      return isSameType ? [] : [safely({ change: 'widen-column', table: table.name, column })]
    case 'rewrite':
      return [safely(convert(table, present, column, from))]
    case 'lossy':
      return [blocked(convert(table, present, column, from), describeLoss(from, column))]
  }
}

function convert(
  table: TableSpec,
  present: LiveColumn,
  column: ColumnSpec,
  from: Pick<ColumnSpec, 'kind' | 'length'> = { kind: 'text' },
): Step {
  const { kind, length } = from
  const earlier = {
    name: column.name,
    kind,
    nullable: present.nullable,
    ...(length === undefined ? {} : { length }),
  }
  return { change: 'convert-column', table: table.name, from: earlier, column }
}

/** The column as an earlier start created it; under its earlier name if a rename has just been carried out. */
function lastColumn(table: TableSpec | undefined, { name, renamedFrom }: ColumnSpec): ColumnSpec | undefined {
  const named = (wanted: string | undefined) => table?.columns.find((column) => column.name === wanted)
  return named(name) ?? named(renamedFrom)
}
