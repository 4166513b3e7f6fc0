import type { ColumnSpec, TableSpec } from '../tables/table-spec.ts'
import { convertJson } from './json/convert-json.ts'
import { blocked, type PlannedStep, safely } from './step.ts'

/** Changes inside the JSON of a column that stays a JSON column. */
export function reshaped(
  column: ColumnSpec,
  from: Pick<ColumnSpec, 'kind' | 'shape'>,
  { name: table }: TableSpec,
): PlannedStep[] {
  if (from.shape === undefined || column.shape === undefined) return []
  const inside = convertJson(from.shape, column.shape)
  const losses = inside.losses.map((loss) =>
    blocked({ change: loss.change, table, column, loss }, loss.reason),
  )
  if (inside.convert === undefined) return losses
  const earlier = { ...column, ...from }
  return [safely({ change: 'convert-column', table, from: earlier, column, inside }), ...losses]
}
