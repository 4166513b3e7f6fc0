import type { ColumnSpec, TableSpec } from '../table-spec.ts'
import { conversionOf, describeLoss } from './conversion.ts'
import type { LiveColumn } from './live-schema.ts'
import { isRenamed, type Mirror } from './mirror.ts'
import { primaryKeyOf } from './names.ts'
import type { TableInput } from './plan-input.ts'
import { blocked, type PlannedStep, type Step, safely, safeUnless } from './step.ts'

/** The steps of one column by phase. */
export interface ColumnPlan {
  /** The column itself. */
  readonly shaped: readonly PlannedStep[]
  /** That it is required. */
  readonly tightened: readonly PlannedStep[]
}

export function planColumn(column: ColumnSpec, input: TableInput): ColumnPlan {
  const earlier = earlierColumn(column, input)
  if (earlier !== undefined) return renamedColumn(column, earlier, input)
  const present = input.live.columns.get(column.name)
  if (present !== undefined) return changedColumn(column, present, input)
  return { shaped: [addedColumn(column, input)], tightened: stillRequired(column, input) }
}

/** Slow steps are done under the earlier name, by which processes of an earlier version know the column. */
function renamedColumn(column: ColumnSpec, earlier: LiveColumn, input: TableInput): ColumnPlan {
  const { shaped } = changedColumn({ ...column, name: earlier.name }, earlier, input)
  const { tightened } = changedColumn(column, earlier, input)
  const rename: Step = {
    change: 'rename-column',
    table: input.table.name,
    from: earlier.name,
    column: column.name,
    isMirrored: canBeMirrored(column, earlier, input),
  }
  return { shaped: [...shaped, safely(rename)], tightened }
}

/** With a default, it would be impossible to tell which of the two columns was written. */
function canBeMirrored(column: ColumnSpec, earlier: LiveColumn, { live, input }: TableInput): boolean {
  const hasDefault = earlier.default !== null || (column.default ?? null) !== null
  return input.canMirror && !hasDefault && !live.primaryKey.includes(earlier.name)
}

/** The column whose data a renamed one takes over; both exist if MySQL was interrupted in between. */
function earlierColumn(
  { name, renamedFrom }: ColumnSpec,
  { table, live, last, input }: TableInput,
): LiveColumn | undefined {
  if (renamedFrom === undefined) return undefined
  const isMade = (wanted: string) => last?.columns.some((column) => column.name === wanted) === true
  const isHalfDone = input.canMirror && isMade(renamedFrom) && !isMade(name)
  if (live.columns.has(name) && !isHalfDone) return undefined
  const isStillDeclared = table.columns.some((column) => column.name === renamedFrom)
  return isStillDeclared ? undefined : live.columns.get(renamedFrom)
}

/** What an earlier start made of the column; under its earlier name if a rename has just been carried out. */
function lastColumn(table: TableSpec | undefined, { name, renamedFrom }: ColumnSpec): ColumnSpec | undefined {
  const named = (wanted: string | undefined) => table?.columns.find((column) => column.name === wanted)
  return named(name) ?? named(renamedFrom)
}

/** A required column without a default is created nullable if existing rows would have no value for it. */
function addedColumn(column: ColumnSpec, input: TableInput): PlannedStep {
  const nullable = isUnanswered(column, input) || column.nullable === true
  return safely({ change: 'add-column', table: input.table.name, column: { ...column, nullable } })
}

function stillRequired(column: ColumnSpec, input: TableInput): PlannedStep[] {
  if (!isUnanswered(column, input)) return []
  const step: Step = { change: 'make-required', table: input.table.name, column }
  return [blocked(step, 'existing rows have no value for it, and it has no default')]
}

function isUnanswered(column: ColumnSpec, { table, input }: TableInput): boolean {
  if (column.nullable === true || (column.default ?? null) !== null) return false
  return input.answer({ about: 'rows', table: table.name }) > 0
}

function changedColumn(column: ColumnSpec, present: LiveColumn, input: TableInput): ColumnPlan {
  const typed = retyped(column, present, input)
  const isConverted = typed.some(({ step }) => step.change === 'convert-column')
  return {
    shaped: [...typed, ...relaxed(column, present, input), ...filled(column, input)],
    tightened: isConverted ? [] : required(column, present, input),
  }
}

function retyped(column: ColumnSpec, present: LiveColumn, tableInput: TableInput): PlannedStep[] {
  const { table, last, input } = tableInput
  const earlier = lastColumn(last, column)
  const isSameType = input.dialect.columnType(column) === present.type
  const isAsRemembered = earlier !== undefined && input.dialect.columnType(earlier) === present.type
  if (isSameType && !isAsRemembered) return []
  const from = isAsRemembered ? earlier : input.dialect.kindOf(present.type)
  if (from === undefined) return [blocked(convert(table, present, column), 'its type is not known')]
  switch (conversionOf(from, column)) {
    case 'none':
      return []
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

function relaxed(column: ColumnSpec, present: LiveColumn, { table }: TableInput): PlannedStep[] {
  if (column.nullable !== true || present.nullable) return []
  return [safely({ change: 'make-nullable', table: table.name, column })]
}

/** A column unknown to the last start, in a table that it knew. */
function filled({ name, filledFrom }: ColumnSpec, { table, last }: TableInput): PlannedStep[] {
  if (filledFrom === undefined || last === undefined) return []
  const isKnown = last.columns.some((column) => column.name === name) && last.unused?.includes(name) !== true
  return isKnown ? [] : [safely({ change: 'fill-column', table: table.name, column: name, from: filledFrom })]
}

function required(column: ColumnSpec, present: LiveColumn, { table, input }: TableInput): PlannedStep[] {
  const isKey = primaryKeyOf(table).includes(column.name)
  if (column.nullable === true || !present.nullable || isKey) return []
  const hasNulls = input.answer({ about: 'nulls', table: table.name, column: present.name }) > 0
  const step: Step = { change: 'make-required', table: table.name, column }
  return [safeUnless(step, hasNulls ? 'existing rows have no value for it' : undefined)]
}

/** Columns under an earlier name that are no longer needed, or that would block a change of the type. */
export function endedMirrors(input: TableInput): PlannedStep[] {
  return (input.last?.mirrors ?? [])
    .filter((mirror) => isEnding(mirror, input))
    .map((mirror) => {
      const column: ColumnSpec = { name: mirror.earlier, kind: 'text', nullable: true }
      return safely({ change: 'drop-column', table: input.table.name, column, mirror })
    })
}

function isEnding(mirror: Mirror, input: TableInput): boolean {
  const { table, live } = input
  const column = table.columns.find((each) => each.name === mirror.column)
  const present = live.columns.get(mirror.column)
  if (column === undefined || present === undefined || !live.columns.has(mirror.earlier)) return false
  if (!isRenamed(table, mirror)) return false
  return input.input.mayEnd(mirror) || retyped(column, present, input).some(({ safe }) => safe)
}

/** Columns under an earlier name that are, or are about to be, kept in sync with the new one. */
export function mirroredColumns(input: TableInput): readonly string[] {
  const { table, last } = input
  const made = (last?.mirrors ?? []).filter((mirror) => isRenamed(table, mirror) && !isEnding(mirror, input))
  const due = table.columns.flatMap((column) => {
    const earlier = earlierColumn(column, input)
    return earlier !== undefined && canBeMirrored(column, earlier, input) ? [earlier.name] : []
  })
  return [...made.map(({ earlier }) => earlier), ...due]
}

/**
 * Columns of ours that are no longer declared: kept, and made nullable so that inserts need not know them.
 */
export function undeclared(input: TableInput): PlannedStep[] {
  const { table, live, last } = input
  const taken = new Set(table.columns.flatMap((column) => [column.name, earlierColumn(column, input)?.name]))
  return (last?.columns ?? []).flatMap((column): PlannedStep[] => {
    const present = live.columns.get(column.name)
    if (present === undefined || taken.has(column.name)) return []
    const kept = { ...column, nullable: true }
    const mirror = last?.mirrors?.find((each) => [each.column, each.earlier].includes(column.name))
    const drop: Step = { change: 'drop-column', table: table.name, column: kept, mirror }
    const relax: Step = { change: 'make-nullable', table: table.name, column: kept }
    const isKey = live.primaryKey.includes(column.name)
    const isMirrored = mirror !== undefined && isRenamed(table, mirror)
    return [
      ...(present.nullable || isKey ? [] : [safely(relax)]),
      ...(isMirrored ? [] : [blocked(drop, lost('its values', column))]),
    ]
  })
}

/** What dropping something loses; what a plugin declared may only be undeclared because the plugin is off. */
export function lost(what: string, { plugin }: Pick<ColumnSpec, 'plugin'>): string {
  return plugin === undefined ? `${what} would be lost` : `${what}, of the plugin ${plugin}, would be lost`
}
