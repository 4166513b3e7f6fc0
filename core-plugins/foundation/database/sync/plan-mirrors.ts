import type { ColumnSpec } from '../tables/table-spec.ts'
import { earlierNamesOf, type Mirror, takenName } from './mirror.ts'
import type { TableInput } from './plan-input.ts'
import { canBeMirrored, earlierColumn, replacedColumns } from './plan-rename.ts'
import { retyped } from './plan-retype.ts'
import { type PlannedStep, safely } from './step.ts'

/**
 * Drops copies of columns under other names that are no longer needed, that would block a change of type, or whose
 * name now belongs to another attribute, which must begin without values.
 */
export function endedMirrors(input: TableInput): PlannedStep[] {
  const { table, last } = input
  const ending = endingColumns(input)
  return (last?.mirrors ?? []).flatMap((mirror) => {
    const name = endingColumn(mirror, input)
    if (name === undefined) return []
    const { column } = mirror
    const ended = { column, earlier: earlierNamesOf(column, last) }
    const rest = name === column ? [] : ended.earlier.filter((each) => !ending.includes(each))
    const dropped: ColumnSpec = { name, kind: 'text', nullable: true }
    return safely({ change: 'drop-column', table: table.name, column: dropped, mirror: { ended, rest } })
  })
}

/** The columns that `endedMirrors` drops. */
export function endingColumns(input: TableInput): readonly string[] {
  return (input.last?.mirrors ?? []).flatMap((mirror) => endingColumn(mirror, input) ?? [])
}

/** The columns that get no more values, or another name: indexes and references on them are dropped first. */
export function leavingColumns(input: TableInput): readonly string[] {
  return [...endingColumns(input), ...replacedColumns(input)]
}

function endingColumn(mirror: Mirror, input: TableInput): string | undefined {
  const { table, live, last } = input
  const present = live.columns.get(mirror.column)
  if (present === undefined || !live.columns.has(mirror.earlier)) return undefined
  const taken = takenName(mirror, table, last)
  if (taken !== undefined) return taken
  const replaced = replacedColumns(input)
  if (replaced.includes(mirror.column) || replaced.includes(mirror.earlier)) return mirror.earlier
  const heir = heirOf(mirror, input)
  const isTakenBack = table.columns.some(({ name }) => name === mirror.earlier)
  if (heir === undefined) return isTakenBack ? undefined : mirror.earlier
  const isDue = !isTakenBack && input.input.mayEnd(mirror)
  const isRetyped = retyped({ ...heir, name: mirror.column }, present, input).some(({ safe }) => safe)
  const isLeftBehind = heir.name !== mirror.column && !canBeMirrored(heir, present, input)
  return isDue || isRetyped || isLeftBehind ? mirror.earlier : undefined
}

/** The declared column with the values, under its own name or, if it has been renamed since, under the next one. */
function heirOf({ column }: Mirror, input: TableInput): ColumnSpec | undefined {
  const { columns } = input.table
  return (
    columns.find(({ name }) => name === column) ??
    columns.find((each) => earlierColumn(each, input)?.name === column)
  )
}

/** The columns under an earlier name that are, or are about to be, kept in sync with the new one. */
export function mirroredColumns(input: TableInput): readonly string[] {
  const { table, last } = input
  const declares = (name: string) => table.columns.some((column) => column.name === name)
  const made = (last?.mirrors ?? []).filter(
    (mirror) =>
      !declares(mirror.earlier) &&
      heirOf(mirror, input) !== undefined &&
      endingColumn(mirror, input) === undefined,
  )
  const due = table.columns.flatMap((column) => {
    const earlier = earlierColumn(column, input)
    return earlier !== undefined && canBeMirrored(column, earlier, input) ? [earlier.name] : []
  })
  return [...made.map(({ earlier }) => earlier), ...due]
}
