import type { ColumnSpec } from '../table-spec.ts'
import type { LiveColumn } from './live-schema.ts'
import { earlierNamesOf } from './mirror.ts'
import type { TableInput } from './plan-input.ts'

/** With a default, it would be impossible to tell which of the two columns was written. */
export function canBeMirrored(column: ColumnSpec, earlier: LiveColumn, { live, input }: TableInput): boolean {
  const hasDefault = earlier.default !== null || (column.default ?? null) !== null
  return input.canMirror && !hasDefault && !live.primaryKey.includes(earlier.name)
}

/**
 * The column whose data a renamed one takes over. Both exist if MySQL was interrupted in between, and if the name is
 * one that the column has had before and is kept under.
 */
export function earlierColumn(
  { name, renamedFrom }: ColumnSpec,
  { table, live, last, input }: TableInput,
): LiveColumn | undefined {
  if (renamedFrom === undefined) return undefined
  const isMade = (wanted: string) => last?.columns.some((column) => column.name === wanted) === true
  const isHalfDone = input.canMirror && isMade(renamedFrom) && !isMade(name)
  const isRenamedBack = input.canMirror && earlierNamesOf(renamedFrom, last).includes(name)
  if (live.columns.has(name) && !isHalfDone && !isRenamedBack) return undefined
  const isStillDeclared = table.columns.some((column) => column.name === renamedFrom)
  return isStillDeclared ? undefined : live.columns.get(renamedFrom)
}
