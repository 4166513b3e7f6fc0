import type { ColumnSpec, TableSpec } from '../database.ts'
import { conversionOf, describeLoss } from './conversion.ts'
import { primaryKeyOf } from './names.ts'
import type { TableInput } from './plan-input.ts'
import type { LiveColumn } from './schema-store.ts'
import { blocked, judged, type PlannedStep, type Step, safely } from './step.ts'

/** The steps of one column by the time at which they are due. */
export interface ColumnPlan {
  /** The column itself. */
  readonly shaped: readonly PlannedStep[]
  /** That it is required. */
  readonly tightened: readonly PlannedStep[]
}

export function planColumn(column: ColumnSpec, input: TableInput): ColumnPlan {
  const present = input.live.columns.get(column.name)
  if (present !== undefined) return changedColumn(column, present, input)
  const earlier = earlierColumn(column, input)
  if (earlier === undefined) {
    return { shaped: [addedColumn(column, input)], tightened: stillRequired(column, input) }
  }
  const { shaped, tightened } = changedColumn(column, earlier, input)
  return { shaped: [renamedColumn(column, earlier, input), ...shaped], tightened }
}

function renamedColumn({ name }: ColumnSpec, earlier: LiveColumn, { table }: TableInput): PlannedStep {
  return safely({ change: 'rename-column', table: table.name, from: earlier.name, column: name })
}

/** The column whose data a renamed one takes over. */
function earlierColumn(
  { name, renamedFrom }: ColumnSpec,
  { table, live }: TableInput,
): LiveColumn | undefined {
  if (renamedFrom === undefined || live.columns.has(name)) return undefined
  const isStillDeclared = table.columns.some((column) => column.name === renamedFrom)
  return isStillDeclared ? undefined : live.columns.get(renamedFrom)
}

/** What an earlier start has made the column; under its earlier name while a rename has just been carried out. */
function lastColumn(table: TableSpec | undefined, { name, renamedFrom }: ColumnSpec): ColumnSpec | undefined {
  const named = (wanted: string | undefined) => table?.columns.find((column) => column.name === wanted)
  return named(name) ?? named(renamedFrom)
}

/** A required column without a default is made nullable where rows would have no value for it. */
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
  return input.answer({ about: 'rows', table: table.name })
}

function changedColumn(column: ColumnSpec, present: LiveColumn, input: TableInput): ColumnPlan {
  const typed = retyped(column, present, input)
  const isConverted = typed.some(({ step }) => step.change === 'convert-column')
  return {
    shaped: [...typed, ...relaxed(column, present, input)],
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

function required(column: ColumnSpec, present: LiveColumn, { table, input }: TableInput): PlannedStep[] {
  const isKey = primaryKeyOf(table).includes(column.name)
  if (column.nullable === true || !present.nullable || isKey) return []
  const hasNulls = input.answer({ about: 'nulls', table: table.name, column: present.name })
  const step: Step = { change: 'make-required', table: table.name, column }
  return [judged(step, hasNulls ? 'existing rows have no value for it' : undefined)]
}

/** Columns of ours that are no longer declared: kept, and nullable so that inserts need not know them. */
export function undeclared(input: TableInput): PlannedStep[] {
  const { table, live, last } = input
  const taken = new Set(table.columns.flatMap((column) => [column.name, earlierColumn(column, input)?.name]))
  return (last?.columns ?? []).flatMap((column): PlannedStep[] => {
    const present = live.columns.get(column.name)
    if (present === undefined || taken.has(column.name)) return []
    const kept = { ...column, nullable: true }
    const drop: Step = { change: 'drop-column', table: table.name, column: kept }
    const relax: Step = { change: 'make-nullable', table: table.name, column: kept }
    const isKey = live.primaryKey.includes(column.name)
    return [...(present.nullable || isKey ? [] : [safely(relax)]), blocked(drop, 'its values would be lost')]
  })
}
